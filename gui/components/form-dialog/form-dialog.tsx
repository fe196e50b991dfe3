import { type FormEvent, type ReactNode, useId } from 'react'
import { general } from '../../messages/general.ts'
import { Button } from '../button/button.tsx'
import { Dialog } from '../dialog/dialog.tsx'
import styles from './form-dialog.module.css'

interface FormDialogProps {
  readonly title: ReactNode
  readonly description?: ReactNode
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
  /** Fields of the form. The service checks them: its errors stand at the fields. */
  readonly children: ReactNode
}

/** Dialog with a form: Enter in a field or the button submits it. */
export function FormDialog({ title, description, action, busy, disabledReason, error, ...rest }: FormDialogProps) {
  const { onSubmit, onClose, children } = rest
  const form = useId()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!busy && disabledReason === undefined) onSubmit()
  }
  return (
    <Dialog
      open
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
      <form id={form} className={styles['form']} onSubmit={submit} noValidate>
        {children}
        {error !== undefined && (
          <p className={styles['error']} role="alert">
            {error}
          </p>
        )}
      </form>
    </Dialog>
  )
}
