import type { JsonSchema } from '../../components/editor/json-schema.ts'
import type { SettingField } from '../../components/settings-form/setting-field.ts'

/** Setting of the catalogue in JSON Schema, with the extensions of the service. */
type SettingSchema = JsonSchema & {
  readonly minimum?: number
  readonly maximum?: number
  readonly writeOnly?: boolean
  /** Levels at which the setting may be set. */
  readonly 'x-levels'?: readonly string[]
  /** Why the setting has no effect yet. */
  readonly 'x-unheeded'?: string
  /** Setting that lists the values allowed below the installation. */
  readonly 'x-allowed-by'?: string
}

export interface SettingsSchema extends JsonSchema {
  readonly properties: Readonly<Record<string, SettingSchema>>
}

/** Fields of the settings that may be set at a level: `global`, `project`, `asset`. */
export const settingFields = (schema: SettingsSchema, level: string): SettingField[] =>
  Object.entries(schema.properties)
    .filter(([, { 'x-levels': levels = [] }]) => levels.includes(level))
    .map(([name, setting]) => ({
      name,
      ...kindOf(setting),
      description: setting.description ?? '',
      default: setting.default,
      isSecret: setting.writeOnly === true,
      ...(setting['x-unheeded'] !== undefined && { note: setting['x-unheeded'] }),
    }))

function kindOf(setting: SettingSchema): Pick<SettingField, 'kind' | 'options' | 'minimum' | 'maximum'> {
  const { type, enum: options, minimum, maximum, items } = setting
  const bounds = { ...(minimum !== undefined && { minimum }), ...(maximum !== undefined && { maximum }) }
  if (options) return { kind: 'choice', options: options.map(String) }
  if (type === 'boolean') return { kind: 'boolean' }
  if (type === 'integer' || type === 'number') return { kind: 'number', ...bounds }
  if (type === 'string') return { kind: 'text' }
  if (type === 'array' && typeof items === 'object' && items.type === 'string') return { kind: 'lines' }
  return { kind: 'document' }
}

/** The schema with only the settings of a level, for completion and checks of the text. */
export const schemaOfLevel = (schema: SettingsSchema, level: string): SettingsSchema => ({
  ...schema,
  properties: Object.fromEntries(
    Object.entries(schema.properties).filter(([, setting]) => setting['x-levels']?.includes(level)),
  ),
})
