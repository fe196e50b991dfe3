import { EmptyState } from '../../components/state/state.tsx'
import { Tabs } from '../../components/tabs/tabs.tsx'
import { configuration as texts } from '../../messages/configuration.ts'
import { general } from '../../messages/general.ts'
import styles from './configuration.module.css'
import { EffectiveValues } from './effective-values.tsx'
import { type ConfigurationTabProps, mayOn } from './node.ts'
import { OwnDocument } from './own-document.tsx'
import { TimeSlider } from './time-slider.tsx'
import { useConfigurationSearch } from './use-configuration-search.ts'
import { usePropertyCompletion } from './use-property-completion.ts'
import { useStops } from './use-stops.ts'
import { VersionHistory } from './version-history.tsx'

/** Tab with the properties of a node: the effective ones with their origin, its own, and their history. */
export default function PropertiesTab({ node, path }: ConfigurationTabProps) {
  if (!mayOn(node, 'properties', 'read'))
    return <EmptyState title={general.forbidden}>{general.needsRight('read', `${path}/properties`)}</EmptyState>
  return <Properties node={node} path={path} />
}

function Properties({ node, path }: ConfigurationTabProps) {
  const [{ view, at }, change] = useConfigurationSearch()
  const stops = useStops(node, path, 'properties')
  const completion = usePropertyCompletion(view === 'own' && at === undefined ? path : undefined)
  return (
    <div className={styles['configuration']}>
      <Tabs
        label={texts.viewsOfProperties}
        tabs={[
          ['effective', texts.views.effective],
          ['own', texts.views.own],
          ['history', texts.views.history],
        ]}
        current={view ?? 'effective'}
        parameter="view"
      />
      {stops && view !== 'history' && <TimeSlider stops={stops} at={at} onChange={time => change({ at: time })} />}
      {view === 'own' ? (
        <OwnDocument node={node} path={path} part="properties" at={at} {...(completion && { completion })} />
      ) : view === 'history' ? (
        <VersionHistory node={node} path={path} part="properties" />
      ) : (
        <EffectiveValues node={node} path={path} part="properties" />
      )}
    </div>
  )
}
