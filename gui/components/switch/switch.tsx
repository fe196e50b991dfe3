import styles from './switch.module.css'

interface SwitchProps {
  /** Name of what is switched, for screen readers. */
  readonly label: string
  readonly checked: boolean
  readonly onChange: (checked: boolean) => void
  /** Why it cannot be switched; it is then off and says so. */
  readonly disabledReason?: string | undefined
  readonly busy?: boolean
}

/** Switch that takes effect at once. */
export function Switch({ label, checked, onChange, disabledReason, busy = false }: SwitchProps) {
  const isOff = disabledReason !== undefined || busy
  return (
    <button
      type="button"
      role="switch"
      className={styles['switch']}
      aria-label={label}
      aria-checked={checked}
      aria-disabled={isOff || undefined}
      title={disabledReason}
      onClick={() => {
        if (!isOff) onChange(!checked)
      }}
    >
      <span className={styles['thumb']} aria-hidden />
    </button>
  )
}
