import { type ComponentProps, type ReactNode, useId } from 'react'
import { Tooltip } from '../tooltip/tooltip.tsx'
import styles from './button.module.css'

export interface ButtonProps extends Omit<ComponentProps<'button'>, 'disabled'> {
  readonly variant?: 'plain' | 'primary' | 'danger' | 'quiet'
  readonly size?: 'normal' | 'small'
  /** Why the action is not possible now; the button is then off and says so in its tooltip. */
  readonly disabledReason?: string | undefined
  /** The action is under way: the button ignores clicks. */
  readonly busy?: boolean | undefined
}

/** Button. It is never merely grey: what is not possible stays focusable and says why. */
export function Button({ variant = 'plain', size = 'normal', disabledReason, busy, ...props }: ButtonProps) {
  const reasonId = useId()
  const { className, onClick, type, ...rest } = props
  const isOff = disabledReason !== undefined || busy === true
  const button = (
    <button
      {...rest}
      type={type ?? 'button'}
      className={buttonClass({ variant, size, className })}
      aria-disabled={isOff || undefined}
      aria-busy={busy || undefined}
      aria-describedby={disabledReason === undefined ? rest['aria-describedby'] : reasonId}
      onClick={event => {
        if (isOff) event.preventDefault()
        else onClick?.(event)
      }}
    />
  )
  if (disabledReason === undefined) return button
  return (
    <>
      <Tooltip text={disabledReason}>{button}</Tooltip>
      <span id={reasonId} className="visually-hidden">
        {disabledReason}
      </span>
    </>
  )
}

/** Button with an icon alone; `label` is its name and its tooltip. */
export function IconButton({ label, children, ...props }: ButtonProps & { label: string; children: ReactNode }) {
  const button = (
    <Button {...props} className={[styles['icon'], props.className].filter(Boolean).join(' ')} aria-label={label}>
      {children}
    </Button>
  )
  return props.disabledReason === undefined ? <Tooltip text={label}>{button}</Tooltip> : button
}

/** Classes of a button, for links that look like one. */
export const buttonClass = ({
  variant = 'plain',
  size = 'normal',
  className,
}: {
  variant?: ButtonProps['variant']
  size?: ButtonProps['size']
  className?: string | undefined
}): string =>
  [styles['button'], styles[variant], size === 'small' && styles['small'], className].filter(Boolean).join(' ')
