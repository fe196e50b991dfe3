import { Ban, Check, Minus } from 'lucide-react'
import { useId } from 'react'
import { access as texts } from '../../messages/access.ts'
import styles from './three-state.module.css'

const states = [
  { value: true, text: texts.states.allow, icon: Check },
  { value: null, text: texts.states.inherit, icon: Minus },
  { value: false, text: texts.states.deny, icon: Ban },
] as const

interface ThreeStateProps {
  /** Name of the group for screen readers. */
  readonly label: string
  /** Allow, inherit (null) or deny. */
  readonly value: boolean | null
  readonly onChange: (value: boolean | null) => void
}

/** Choice of allow, inherit or deny: three radio buttons with an icon each, moved through by arrow keys. */
export function ThreeState({ label, value, onChange }: ThreeStateProps) {
  const name = useId()
  return (
    <fieldset className={styles['group']} aria-label={label}>
      {states.map(({ value: each, text, icon: Icon }) => (
        <label key={text} className={styles['option']} data-state={text} title={text}>
          <input type="radio" name={name} checked={value === each} aria-label={text} onChange={() => onChange(each)} />
          <Icon size={15} aria-hidden />
        </label>
      ))}
    </fieldset>
  )
}
