import { Dialog as Base } from '@base-ui/react/dialog'
import { X } from 'lucide-react'
import { type ReactNode, useRef, useState } from 'react'
import { general } from '../../messages/general.ts'
import { Button, IconButton } from '../button/button.tsx'
import { TextField } from '../field/field.tsx'
import styles from './dialog.module.css'

interface DialogProps {
  readonly open: boolean
  readonly onClose: () => void
  readonly title: ReactNode
  readonly description?: ReactNode
  /** Buttons at the foot. */
  readonly footer?: ReactNode
  /** `sheet` slides over the right side, for what needs room. */
  readonly kind?: 'dialog' | 'sheet'
  /** A click beside it does not close it, so that nothing that was typed is lost by a slip. */
  readonly keepsOpen?: boolean
  /** Called by Escape, which then does not close it. */
  readonly onEscape?: (() => void) | undefined
  /** Its content is text without fields and buttons: it can be focused, so that the keyboard scrolls it. */
  readonly isText?: boolean
  readonly children?: ReactNode
}

/** Modal dialog; Escape and a click beside it close it, and the focus returns to where it was. */
export function Dialog(props: DialogProps) {
  const {
    open,
    onClose,
    title,
    description,
    footer,
    kind = 'dialog',
    keepsOpen = false,
    onEscape,
    isText = false,
    children,
  } = props
  const popup = useRef<HTMLDivElement>(null)
  return (
    <Base.Root
      open={open}
      onOpenChange={(isOpen, { reason }) => {
        if (isOpen) return
        if (reason === 'escape-key' && onEscape) onEscape()
        else onClose()
      }}
      disablePointerDismissal={keepsOpen}
    >
      <Base.Portal>
        <Base.Backdrop className={styles['backdrop']!} />
        <Base.Popup
          ref={popup}
          className={`${styles['popup']} ${styles[kind]}`}
          initialFocus={() => firstFocus(popup.current)}
        >
          <header className={styles['header']}>
            <div>
              <Base.Title className={styles['title']!}>{title}</Base.Title>
              {description !== undefined && (
                <Base.Description className={styles['description']!}>{description}</Base.Description>
              )}
            </div>
            <IconButton label={general.close} variant="quiet" onClick={onClose}>
              <X size={18} aria-hidden />
            </IconButton>
          </header>
          <div ref={focusLateField} className={styles['body']} {...(isText && { tabIndex: 0 })}>
            {children}
          </div>
          {footer !== undefined && <footer className={styles['footer']}>{footer}</footer>}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}

/** Element that has the focus first: what took it by itself, else the first field, else the dialog. */
function firstFocus(popup: HTMLElement | null): HTMLElement | null {
  const active = document.activeElement
  if (active instanceof HTMLElement && active !== popup && popup?.contains(active)) return active
  return (popup && firstField(popup)) ?? popup
}

/** The first field in which something can be entered, or that can at least be copied. */
const firstField = (within: HTMLElement) =>
  within.querySelector<HTMLElement>(':is(input, select, textarea):not([readonly], :disabled)') ??
  within.querySelector<HTMLElement>('input, textarea')

/** Gives the focus to the first field when it is there, if it was read first and the focus has stayed on the dialog. */
function focusLateField(body: HTMLDivElement | null): (() => void) | undefined {
  if (!body || firstField(body)) return undefined
  const observer = new MutationObserver(() => {
    const field = firstField(body)
    if (!field) return
    observer.disconnect()
    if (document.activeElement === body.parentElement) field.focus()
  })
  observer.observe(body, { childList: true, subtree: true })
  return () => observer.disconnect()
}

interface ConfirmProps extends Omit<DialogProps, 'footer' | 'kind'> {
  /** Verb on the button: "Cancel the change". */
  readonly action: string
  /** The other button, where "Cancel" could be meant for what is asked about: "Keep editing". */
  readonly cancel?: string
  readonly danger?: boolean
  readonly busy?: boolean
  /** Text to be typed before the button works, for what cannot be undone. */
  readonly typed?: string
  /** Label of the field for `typed`. */
  readonly typedLabel?: string
  readonly onConfirm: () => void
}

/** Dialog that asks before something dangerous is done. */
export function Confirm(props: ConfirmProps) {
  const { action, cancel = general.cancel, danger, busy, typed, typedLabel, onConfirm, ...dialog } = props
  const [text, setText] = useState('')
  const isMissing = typed !== undefined && text !== typed
  return (
    <Dialog
      {...dialog}
      footer={
        <>
          <Button onClick={dialog.onClose}>{cancel}</Button>
          <Button
            variant={danger ? 'danger' : 'primary'}
            busy={busy}
            disabledReason={isMissing ? typedLabel : undefined}
            onClick={onConfirm}
          >
            {action}
          </Button>
        </>
      }
    >
      {dialog.children}
      {typed !== undefined && <TextField label={typedLabel ?? typed} value={text} onChange={setText} />}
    </Dialog>
  )
}
