import { type FormEvent, type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { actOf, pressedKey } from '../../keyboard/keys.ts'
import { general } from '../../messages/general.ts'
import { Button } from '../button/button.tsx'
import { Confirm, Dialog } from '../dialog/dialog.tsx'
import styles from './form-dialog.module.css'
import { FormError } from './form-error.tsx'

interface FormDialogProps {
  readonly title: ReactNode
  readonly description?: ReactNode
  /** `sheet` slides over the right side, for what needs room. */
  readonly kind?: 'sheet'
  /** Verb on the button that submits: "Create the policy". */
  readonly action: string
  /** Whether the button warns of what it does. */
  readonly danger?: boolean
  /** The request is under way: further submissions are ignored. */
  readonly busy: boolean
  /** Why the form cannot be submitted yet. */
  readonly disabledReason?: string | undefined
  /** What was wrong beside the errors of the fields. */
  readonly error?: string | undefined
  /** Other actions at the foot, before Cancel. */
  readonly more?: ReactNode
  readonly onSubmit: () => void
  readonly onClose: () => void
  /** Whether the browser refuses to submit while a required field is empty. */
  readonly isChecked?: boolean
  /** Fields of the form, and what it leads to, such as a plan. The service checks them: its errors stand at the fields. */
  readonly children: ReactNode
}

/**
 * Dialog with a form: the button, Enter in a field, and Ctrl Enter also in a field of several lines submit it. Once something
 * was typed or chosen, a click beside the dialog does not close it, and Escape asks first. The first field that was refused gets the
 * focus, which also scrolls it into view.
 */
export function FormDialog(props: FormDialogProps) {
  const { title, description, kind, action, danger, busy, disabledReason, error, more, isChecked, children } = props
  const form = useId()
  const [isTyped, setIsTyped] = useState(false)
  const [isAsked, setIsAsked] = useState(false)
  const fields = useRef<HTMLFormElement>(null)
  const isSubmitted = useRef(false)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (busy || disabledReason !== undefined) return
    isSubmitted.current = true
    props.onSubmit()
  }
  useEffect(() => {
    if (busy || !isSubmitted.current) return
    isSubmitted.current = false
    fields.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [busy])
  // Before the fields: an editor has its own meaning for the key.
  const onKeyDown = (event: KeyboardEvent<HTMLFormElement>) => {
    if (!isWithin(event) || actOf('forms', pressedKey(event)) !== 'submit') return
    event.preventDefault()
    event.stopPropagation()
    event.currentTarget.requestSubmit()
  }
  return (
    <Dialog
      open
      {...(kind && { kind })}
      keepsOpen={isTyped}
      onEscape={isTyped ? () => setIsAsked(true) : undefined}
      onClose={props.onClose}
      title={title}
      description={description}
      footer={
        <>
          {more}
          <Button onClick={props.onClose}>{general.cancel}</Button>
          <Button
            type="submit"
            form={form}
            variant={danger ? 'danger' : 'primary'}
            busy={busy}
            disabledReason={disabledReason}
          >
            {action}
          </Button>
        </>
      }
    >
      <form
        ref={fields}
        id={form}
        className={styles['form']}
        data-keys="forms"
        onSubmit={submit}
        onKeyDownCapture={onKeyDown}
        onInput={event => isWithin(event) && setIsTyped(true)}
        noValidate={!isChecked}
      >
        {children}
        <FormError text={error} />
      </form>
      <Confirm
        open={isAsked}
        onClose={() => setIsAsked(false)}
        title={general.discardChanges}
        action={general.discard}
        cancel={general.keepEditing}
        danger
        onConfirm={props.onClose}
      />
    </Dialog>
  )
}

/** Whether an event is of the form itself: React passes on those of dialogs that the form opens. */
const isWithin = ({
  currentTarget,
  target,
}: {
  readonly currentTarget: Element
  readonly target: EventTarget
}): boolean => currentTarget.contains(target as Node)
