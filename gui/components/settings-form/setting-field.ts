/** Field of a form for settings. */
export interface SettingField {
  /** Name of the setting: `runner.idle_timeout`. */
  readonly name: string
  /** Kind of control: a choice of `options`, one text in each line, or a document as JSON. */
  readonly kind: 'boolean' | 'choice' | 'number' | 'text' | 'lines' | 'document'
  readonly options?: readonly string[]
  readonly minimum?: number
  readonly maximum?: number
  readonly description: string
  readonly default: unknown
  /** The value is write-only: the service answers `{{hidden}}`. */
  readonly isSecret: boolean
  /** Remark, such as why the setting has no effect yet. */
  readonly note?: string
}

/** Fields in groups by the part of their name before the first dot; single fields form the first group. */
export function groupsOf(fields: readonly SettingField[]): (readonly [group: string, fields: SettingField[]])[] {
  const prefix = ({ name }: SettingField) => (name.includes('.') ? (name.split('.')[0] ?? '') : '')
  return [...Map.groupBy(fields, prefix)].toSorted(([a], [b]) => Number(a !== '') - Number(b !== ''))
}

/** First value of a setting that begins to be set: the one in effect, so that nothing changes yet. */
export function firstValue({ kind, isSecret, options = [], minimum = 0 }: SettingField, effective: unknown): unknown {
  if (effective !== undefined && !isSecret) return effective
  if (kind === 'boolean') return false
  if (kind === 'choice') return options[0]
  if (kind === 'number') return minimum
  return kind === 'lines' ? [] : kind === 'document' ? {} : ''
}

/** Text of a value in one line. */
export const settingText = (value: unknown): string =>
  typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value)
