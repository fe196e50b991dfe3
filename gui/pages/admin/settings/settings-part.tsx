import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useDocument } from '../../../api/queries.ts'
import { useMe } from '../../../api/session.tsx'
import { general } from '../../../messages/general.ts'
import { refreshMaintenance } from '../../../shell/maintenance.ts'
import { mayUpdate } from '../../../shell/rights.ts'
import type { OwnRecord } from '../../configuration/own-record.ts'
import { SettingsEditor } from '../../configuration/settings-editor.tsx'
import { type SettingsSchema, settingFields } from '../../configuration/settings-fields.ts'
import { Loaded } from '../loaded.tsx'
import { useInstallationSettings } from './use-installation-settings.ts'

/** Settings of the installation as a form. */
export default function SettingsPart() {
  const settings = useInstallationSettings()
  const schema = useDocument<SettingsSchema>('/api/settings_schema')
  return (
    <Loaded query={settings}>
      {({ path, record }) => (
        <Loaded query={schema}>
          {schema => <Form path={path} record={record} schema={schema} onReload={settings.refetch} />}
        </Loaded>
      )}
    </Loaded>
  )
}

const right = '/system_configuration'

interface FormProps {
  readonly path: string
  readonly record: OwnRecord
  readonly schema: SettingsSchema
  readonly onReload: () => Promise<unknown>
}

function Form({ path, record, schema, onReload }: FormProps) {
  const isPermitted = mayUpdate(useMe(), right)
  const cache = useQueryClient()
  const { version } = record.attributes
  // Maintenance mode is one of the settings.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the version is the reason, not an input.
  useEffect(() => void refreshMaintenance(cache), [cache, version])
  const fields = settingFields(schema, 'global')
  const withDefault = fields.filter(field => field.default !== undefined)
  return (
    <SettingsEditor
      own={path}
      record={record}
      fields={fields}
      effective={Object.fromEntries(withDefault.map(field => [field.name, field.default]))}
      sources={Object.fromEntries(withDefault.map(({ name }) => [name, 'Default']))}
      readOnlyReason={isPermitted ? undefined : general.needsRight('update', right)}
      onReload={onReload}
    />
  )
}
