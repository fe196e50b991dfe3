import { useId } from 'react'
import { TextField } from '../field/field.tsx'
import { useDebounced } from '../field/use-debounced.ts'
import styles from './filter-fields.module.css'
import { fromLocalField, toLocalField } from './local-time.ts'

interface FilterProps {
  readonly label: string
  readonly value: string | undefined
  readonly placeholder?: string
  /** Values that are offered while one types. */
  readonly completions?: readonly string[]
  readonly onChange: (value: string | undefined) => void
}

/** Field for a text that a list is filtered by; it is applied once typing rests. */
export function TextFilter({ label, value, placeholder, completions, onChange }: FilterProps) {
  const [text, setText] = useDebounced(value ?? '', onChange)
  const id = useId()
  return (
    <>
      <TextField
        label={label}
        value={text}
        placeholder={placeholder}
        onChange={setText}
        list={completions && id}
        autoComplete="off"
      />
      {completions && (
        <datalist id={id}>
          {completions.map(each => (
            <option key={each} value={each} />
          ))}
        </datalist>
      )}
    </>
  )
}

/** Field for a date and time in the user's zone that a list is filtered by; `value` is ISO 8601. */
export function TimeFilter({ label, value, onChange }: FilterProps) {
  return (
    <div className={styles['time']}>
      <TextField
        label={label}
        type="datetime-local"
        value={toLocalField(value)}
        onChange={text => onChange(fromLocalField(text))}
      />
    </div>
  )
}
