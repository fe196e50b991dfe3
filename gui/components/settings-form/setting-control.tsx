import { useState } from 'react'
import { fromJson } from '#json/from-json.ts'
import { configuration as texts } from '../../messages/configuration.ts'
import { Select, TextArea, TextField } from '../field/field.tsx'
import { type SettingField, settingText } from './setting-field.ts'

interface ControlProps {
  readonly field: SettingField
  readonly value: unknown
  readonly error: string | undefined
  readonly onChange: (value: unknown) => void
}

/** Control for the value of a setting, by its kind. */
export function SettingControl(props: ControlProps) {
  const { field, value, error, onChange } = props
  const common = { label: field.name, error }
  if (field.kind === 'document') return <DocumentControl {...props} />
  if (field.kind === 'lines')
    return (
      <TextArea
        {...common}
        hint={texts.linesHint}
        value={Array.isArray(value) ? value.join('\n') : ''}
        onChange={text => onChange(text === '' ? [] : text.split('\n'))}
      />
    )
  if (field.kind === 'boolean' || field.kind === 'choice')
    return (
      <Select
        {...common}
        value={String(value)}
        options={optionsOf(field)}
        onChange={text => onChange(field.kind === 'boolean' ? text === 'true' : text)}
      />
    )
  if (field.kind === 'number')
    return (
      <TextField
        {...common}
        type="number"
        min={field.minimum}
        max={field.maximum}
        hint={hasRange(field) ? texts.range(field.minimum, field.maximum) : undefined}
        value={settingText(value)}
        onChange={text => onChange(text === '' ? '' : Number(text))}
      />
    )
  const isHidden = field.isSecret && value === hidden
  return (
    <TextField
      {...common}
      type={field.isSecret ? 'password' : 'text'}
      autoComplete="off"
      hint={isHidden ? texts.hiddenValue : undefined}
      value={isHidden ? '' : settingText(value)}
      onChange={onChange}
    />
  )
}

/** Text in place of a secret, which keeps the stored one when it is written back. */
const hidden = '{{hidden}}'

const hasRange = ({ minimum, maximum }: SettingField): boolean => minimum !== undefined || maximum !== undefined

const optionsOf = ({ kind, options = [] }: SettingField): (readonly [string, string])[] =>
  kind === 'boolean'
    ? [
        ['true', texts.yes],
        ['false', texts.no],
      ]
    : options.map(each => [each, each] as const)

/** Value of several parts as JSON; what is no JSON is sent as a text, which the service refuses with the reason. */
function DocumentControl({ field, value, error, onChange }: ControlProps) {
  const [text, setText] = useState(() => JSON.stringify(value, null, 2))
  const change = (typed: string) => {
    setText(typed)
    onChange(parsed(typed))
  }
  return (
    <TextArea
      label={field.name}
      hint={texts.jsonHint}
      error={error}
      code
      rows={Math.min(14, text.split('\n').length + 1)}
      value={text}
      onChange={change}
    />
  )
}

function parsed(text: string): unknown {
  try {
    return fromJson(text)
  } catch (error) {
    if (error instanceof SyntaxError) return text
    throw error
  }
}
