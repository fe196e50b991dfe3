import { useQueryClient } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { type ComponentProps, useEffect } from 'react'
import { useDocument } from '../../../api/queries.ts'
import { useMe } from '../../../api/session.tsx'
import { Loaded } from '../../../components/state/query-states.tsx'
import { Tabs } from '../../../components/tabs/tabs.tsx'
import { configuration as texts } from '../../../messages/configuration.ts'
import { general } from '../../../messages/general.ts'
import { refreshMaintenance } from '../../../shell/maintenance.ts'
import { mayUpdate } from '../../../shell/rights.ts'
import { DocumentEditor } from '../../configuration/document-editor.tsx'
import type { OwnRecord } from '../../configuration/own-record.ts'
import { SettingsEditor } from '../../configuration/settings-editor.tsx'
import { type SettingsSchema, schemaOfLevel, settingFields } from '../../configuration/settings-fields.ts'
import { useInstallationSettings } from './use-installation-settings.ts'

/** Settings of the installation, as a form and as text. */
export default function SettingsPart() {
  const settings = useInstallationSettings()
  const schema = useDocument<SettingsSchema>('/api/settings_schema')
  return (
    <Loaded query={settings}>
      {({ path, record }) => (
        <Loaded query={schema}>
          {schema => <Views path={path} record={record} schema={schema} onReload={settings.refetch} />}
        </Loaded>
      )}
    </Loaded>
  )
}

const right = '/system_configuration'

interface ViewsProps {
  readonly path: string
  readonly record: OwnRecord
  readonly schema: SettingsSchema
  readonly onReload: () => Promise<unknown>
}

function Views({ path, record, schema, onReload }: ViewsProps) {
  const { view } = useSearch({ from: '/admin/$part' })
  const isPermitted = mayUpdate(useMe(), right)
  const cache = useQueryClient()
  const { version } = record.attributes
  // Maintenance mode is one of the settings.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the version is the reason, not an input.
  useEffect(() => void refreshMaintenance(cache), [cache, version])
  const editor = {
    own: path,
    record,
    readOnlyReason: isPermitted ? undefined : general.needsRight('update', right),
    onReload,
  }
  return (
    <>
      <Tabs
        label={texts.viewsOfSettings}
        tabs={[
          ['form', texts.views.form],
          ['text', texts.views.text],
        ]}
        current={view ?? 'form'}
        parameter="view"
      />
      {view === 'text' ? (
        <DocumentEditor {...editor} part="settings" completion={{ schema: schemaOfLevel(schema, 'global') }} />
      ) : (
        <Form {...editor} schema={schema} />
      )}
    </>
  )
}

type FormProps = Pick<ComponentProps<typeof SettingsEditor>, 'own' | 'record' | 'readOnlyReason' | 'onReload'>

function Form({ schema, ...editor }: FormProps & { schema: SettingsSchema }) {
  const fields = settingFields(schema, 'global')
  const withDefault = fields.filter(field => field.default !== undefined)
  return (
    <SettingsEditor
      {...editor}
      fields={fields}
      effective={Object.fromEntries(withDefault.map(field => [field.name, field.default]))}
      sources={Object.fromEntries(withDefault.map(({ name }) => [name, 'Default']))}
    />
  )
}
