import { useDocument, useRecord } from '../../api/queries.ts'
import type { Document, Resource } from '../../api/records.ts'
import { Unread } from '../../components/state/query-states.tsx'
import { EmptyState } from '../../components/state/state.tsx'
import { general } from '../../messages/general.ts'
import { type ConfigurationTabProps, ownPath } from './node.ts'
import { whyReadOnly } from './own-document.tsx'
import type { OwnRecord } from './own-record.ts'
import { SettingsEditor } from './settings-editor.tsx'
import { type SettingsSchema, settingFields } from './settings-fields.ts'

type ConvergedSettings = Document<Resource<{ data: Readonly<Record<string, unknown>> }>> & {
  readonly data: {
    readonly meta: { readonly setting_sources: { readonly by_setting: Readonly<Record<string, string>> } }
  }
}

/** Milliseconds between looks for a version that was saved elsewhere. */
const pollEvery = 10_000

/** Own settings of a node as a form. */
export function OwnSettings({ node, path, schema }: ConfigurationTabProps & { schema: SettingsSchema }) {
  const own = ownPath(node, 'settings')
  const record = useRecord<'settings'>(own ?? '', undefined, { enabled: own !== undefined, every: pollEvery })
  const converged = useDocument<ConvergedSettings>(`/api${path}/converged_settings`)
  if (own === undefined) return <EmptyState title={general.notFound}>{general.notFoundDetail}</EmptyState>
  if (record.data === undefined) return <Unread query={record} />
  if (converged.data === undefined) return <Unread query={converged} />
  const { attributes, meta } = converged.data.data
  return (
    <SettingsEditor
      own={own}
      record={record.data as unknown as OwnRecord}
      fields={settingFields(schema, node.type)}
      effective={attributes.data}
      sources={meta.setting_sources.by_setting}
      readOnlyReason={whyReadOnly(node, path, 'settings')}
      onReload={record.refetch}
    />
  )
}
