import { type FormEvent, type ReactNode, useId } from 'react'
import { general } from '../../messages/general.ts'
import { Button } from '../button/button.tsx'
import { Dialog } from '../dialog/dialog.tsx'
import styles from './form-dialog.module.css'
import { FormError } from './form-error.tsx'

interface FormDialogProps {
  readonly title: ReactNode
  readonly description?: ReactNode
  /** `sheet` slides over the right side, for what needs room. */
  readonly kind?: 'sheet'
  /** Verb on the button that submits: "Create the policy". */
  readonly action: string
  /** The request is under way: further submissions are ignored. */
  readonly busy: boolean
  /** Why the form cannot be submitted yet. */
  readonly disabledReason?: string | undefined
  /** What was wrong beside the errors of the fields. */
  readonly error?: string | undefined
  readonly onSubmit: () => void
  readonly onClose: () => void
  /** Whether the browser refuses to submit while a required field is empty. */
  readonly isChecked?: boolean
  /** Fields of the form. The service checks them: its errors stand at the fields. */
  readonly children: ReactNode
}

/** Dialog with a form: Enter in a field or the button submits it. */
export function FormDialog(props: FormDialogProps) {
  const { title, description, kind, action, busy, disabledReason, error, isChecked, onSubmit, onClose, children } =
    props
  const form = useId()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!busy && disabledReason === undefined) onSubmit()
  }
  return (
    <Dialog
      open
      {...(kind && { kind })}
      onClose={onClose}
      title={title}
      description={description}
      footer={
        <>
          <Button onClick={onClose}>{general.cancel}</Button>
          <Button type="submit" form={form} variant="primary" busy={busy} disabledReason={disabledReason}>
            {action}
          </Button>
        </>
      }
    >
      <form id={form} className={styles['form']} onSubmit={submit} noValidate={!isChecked}>
        {children}
        <FormError text={error} />
      </form>
    </Dialog>
  )
}
