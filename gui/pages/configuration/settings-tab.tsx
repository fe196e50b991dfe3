import { useDocument } from '../../api/queries.ts'
import { Unread } from '../../components/state/query-states.tsx'
import { EmptyState } from '../../components/state/state.tsx'
import { Tabs } from '../../components/tabs/tabs.tsx'
import { configuration as texts } from '../../messages/configuration.ts'
import { general } from '../../messages/general.ts'
import styles from './configuration.module.css'
import { EffectiveValues } from './effective-values.tsx'
import { type ConfigurationTabProps, mayOn } from './node.ts'
import { OwnDocument } from './own-document.tsx'
import { OwnSettings } from './own-settings.tsx'
import { type SettingsSchema, schemaOfLevel } from './settings-fields.ts'
import { TimeSlider } from './time-slider.tsx'
import { useConfigurationSearch } from './use-configuration-search.ts'
import { useStops } from './use-stops.ts'
import { VersionHistory } from './version-history.tsx'

/** Tab with the settings of a node: those in effect, its own as a form and as text, and their history. */
export default function SettingsTab({ node, path }: ConfigurationTabProps) {
  if (!mayOn(node, 'settings', 'read'))
    return <EmptyState title={general.forbidden}>{general.needsRight('read', `${path}/settings`)}</EmptyState>
  return <Settings node={node} path={path} />
}

function Settings({ node, path }: ConfigurationTabProps) {
  const [{ view, at }, change] = useConfigurationSearch()
  const stops = useStops(node, path, 'settings')
  return (
    <div className={styles['configuration']}>
      <Tabs
        label={texts.viewsOfSettings}
        tabs={[
          ['effective', texts.views.effective],
          ['own', texts.views.form],
          ['text', texts.views.text],
          ['history', texts.views.history],
        ]}
        current={view ?? 'effective'}
        parameter="view"
      />
      {stops && view !== 'history' && <TimeSlider stops={stops} at={at} onChange={time => change({ at: time })} />}
      {view === 'history' ? (
        <VersionHistory node={node} path={path} part="settings" />
      ) : view === undefined ? (
        <EffectiveValues node={node} path={path} part="settings" />
      ) : at !== undefined ? (
        <OwnDocument node={node} path={path} part="settings" at={at} />
      ) : (
        <Own node={node} path={path} isText={view === 'text'} />
      )}
    </div>
  )
}

function Own({ node, path, isText }: ConfigurationTabProps & { isText: boolean }) {
  const schema = useDocument<SettingsSchema>('/api/settings_schema')
  if (schema.data === undefined) return <Unread query={schema} />
  return isText ? (
    <OwnDocument
      node={node}
      path={path}
      part="settings"
      completion={{ schema: schemaOfLevel(schema.data, node.type) }}
    />
  ) : (
    <OwnSettings node={node} path={path} schema={schema.data} />
  )
}
