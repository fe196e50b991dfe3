import { Search } from 'lucide-react'
import { type ComponentProps, type ReactNode, useId } from 'react'
import styles from './field.module.css'

/** Fields of forms: label, control, hint and error belong together also for screen readers. */

interface FieldProps {
  readonly label: string
  readonly hint?: ReactNode
  readonly error?: string | undefined
}

type Control = { id: string; 'aria-describedby': string | undefined; 'aria-invalid': boolean | undefined }

function Field({ label, hint, error, children }: FieldProps & { children: (control: Control) => ReactNode }) {
  const id = useId()
  const describedBy = [hint !== undefined && `${id}-hint`, error !== undefined && `${id}-error`].filter(Boolean)
  return (
    <div className={styles['field']}>
      <label className={styles['label']} htmlFor={id}>
        {label}
      </label>
      {children({
        id,
        'aria-describedby': describedBy.join(' ') || undefined,
        'aria-invalid': error !== undefined || undefined,
      })}
      {hint !== undefined && (
        <span id={`${id}-hint`} className={styles['hint']}>
          {hint}
        </span>
      )}
      {error !== undefined && (
        <span id={`${id}-error`} className={styles['error']} role="alert">
          {error}
        </span>
      )}
    </div>
  )
}

type TextProps = FieldProps & { value: string; onChange: (value: string) => void }

export function TextField({
  label,
  hint,
  error,
  onChange,
  ...input
}: TextProps & Omit<ComponentProps<'input'>, 'onChange' | 'value'>) {
  return (
    <Field label={label} hint={hint} error={error}>
      {control => (
        <input {...input} {...control} className={styles['input']} onChange={event => onChange(event.target.value)} />
      )}
    </Field>
  )
}

interface TextAreaProps extends TextProps, Omit<ComponentProps<'textarea'>, 'onChange' | 'value'> {
  /** The text is code, such as JSON: fixed width, no spell checking. */
  readonly code?: boolean
}

export function TextArea({ label, hint, error, onChange, code = false, ...area }: TextAreaProps) {
  return (
    <Field label={label} hint={hint} error={error}>
      {control => (
        <textarea
          {...area}
          {...control}
          {...(code && { spellCheck: false })}
          className={`${styles['input']} ${styles['area']} ${code ? styles['code'] : ''}`}
          onChange={event => onChange(event.target.value)}
        />
      )}
    </Field>
  )
}

interface SelectProps extends TextProps {
  /** Values with their texts. */
  readonly options: readonly (readonly [value: string, text: string])[]
}

export function Select({ label, hint, error, value, onChange, options }: SelectProps) {
  return (
    <Field label={label} hint={hint} error={error}>
      {control => (
        <select {...control} className={styles['input']} value={value} onChange={event => onChange(event.target.value)}>
          {options.map(([each, text]) => (
            <option key={each} value={each}>
              {text}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}

interface CheckboxProps {
  readonly label: ReactNode
  readonly checked: boolean
  readonly onChange: (checked: boolean) => void
}

export function Checkbox({ label, checked, onChange }: CheckboxProps) {
  return (
    <label className={styles['checkbox']}>
      <input type="checkbox" checked={checked} onChange={event => onChange(event.target.checked)} />
      <span>{label}</span>
    </label>
  )
}

/** Search box whose label is read by screen readers and shown as its placeholder. */
export function SearchField({
  label,
  onChange,
  ...input
}: Omit<TextProps, 'hint' | 'error'> & Omit<ComponentProps<'input'>, 'onChange' | 'value'>) {
  return (
    <div className={styles['search']} data-search>
      <Search size={15} aria-hidden />
      <input
        {...input}
        type="search"
        className={styles['input']}
        aria-label={label}
        placeholder={label}
        onChange={event => onChange(event.target.value)}
      />
    </div>
  )
}
