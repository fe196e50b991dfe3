import { decision as texts } from '../../messages/decision.ts'
import { Select, TextArea, TextField } from '../field/field.tsx'
import { type ArgumentField, hasDefault, text } from './input-arguments.ts'

interface ArgumentInputProps {
  readonly field: ArgumentField
  readonly value: string
  readonly onChange: (value: string) => void
  readonly error: string | undefined
}

/** Control for one argument of an input step, by its type: choice, date, number, text, JSON or password. */
export function ArgumentInput({ field, value, onChange, error }: ArgumentInputProps) {
  const { argument, choices } = field
  const { type, sensitive, required, label = argument.name, description } = argument
  const common = {
    label: required || hasDefault(argument) ? label : texts.optional(label),
    hint: [description, sensitive && texts.sensitive, hints(field)].filter(Boolean).join(' ') || undefined,
    error,
    value,
    onChange,
  }
  if (choices)
    return (
      <Select
        {...common}
        options={[
          ...(required && value !== '' ? [] : [['', texts.choose] as const]),
          ...choices.map(each => [each, text(JSON.parse(each))] as const),
        ]}
      />
    )
  if (sensitive) return <TextField {...common} type="password" autoComplete="off" />
  if (type === 'array' || type === 'object') return <TextArea {...common} code />
  if (type === 'date') return <TextField {...common} type="date" />
  const mode = type === 'integer' ? 'numeric' : type === 'float' ? 'decimal' : 'text'
  return <TextField {...common} inputMode={mode} autoComplete="off" />
}

function hints({ argument, choices, initial }: ArgumentField): string | undefined {
  if (hasDefault(argument)) return initial === '' ? texts.hasDefault : texts.defaultValue(text(argument.default_value))
  return !choices && (argument.type === 'array' || argument.type === 'object') ? texts.json : undefined
}
