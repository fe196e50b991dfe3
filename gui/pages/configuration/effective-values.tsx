import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useCallback, useDeferredValue, useMemo } from 'react'
import { sluice } from '../../api/client.ts'
import { recordKey } from '../../api/keys.ts'
import type { Document, Resource } from '../../api/records.ts'
import { Button } from '../../components/button/button.tsx'
import { SearchField } from '../../components/field/field.tsx'
import { useDebounced } from '../../components/field/use-debounced.ts'
import { ListStates } from '../../components/state/query-states.tsx'
import { EmptyState } from '../../components/state/state.tsx'
import { configuration as texts } from '../../messages/configuration.ts'
import styles from './configuration.module.css'
import { ExplainPanel } from './explain-panel.tsx'
import { filterLeaves, type Leaf, leavesOf, pointerOf } from './leaves.ts'
import { LeavesTable } from './leaves-table.tsx'
import { type ConfigurationTabProps, mayOn, type Part } from './node.ts'
import { originOf } from './origin.ts'
import { whyReadOnly } from './own-document.tsx'
import { useConfigurationSearch } from './use-configuration-search.ts'

type Converged = Document<Resource<{ data: Readonly<Record<string, unknown>> }>> & {
  readonly data: {
    readonly meta?: {
      readonly property_sources?: { readonly by_property: unknown }
      readonly setting_sources?: { readonly by_setting: unknown }
    }
  }
}

/** Values in force on a node with the layer of each, a filter, and the explanation of the chosen one. */
export function EffectiveValues({ node, path, part }: ConfigurationTabProps & { part: Part }) {
  const [search, change] = useConfigurationSearch()
  const { at, pointer, filter = '' } = search
  const [text, setText] = useDebounced(filter, value => change({ filter: value || undefined }))
  const query = at === undefined ? undefined : { converge_date: at }
  const converged = useQuery({
    queryKey: recordKey(`/api${path}/converged_${part}`, query),
    queryFn: () => sluice().document<Converged>(`/api${path}/converged_${part}`, query),
    placeholderData: keepPreviousData,
  })
  const leaves = useMemo(() => (converged.data ? leavesIn(converged.data, part) : []), [converged.data, part])
  const wanted = useDeferredValue(filter)
  const shown = useMemo(() => filterLeaves(leaves, wanted), [leaves, wanted])
  const included = converged.data?.included
  const origin = useCallback((source: string) => originOf(source, included), [included])

  return (
    <ListStates query={converged} count={leaves.length} skeleton={8} empty={<NoValues path={path} />}>
      <div className={styles['effective']}>
        <div className={styles['toolbar']}>
          <SearchField label={texts.filter} value={text} onChange={setText} />
          <span className={styles['soft']} role="status">
            {texts.values(shown.length, leaves.length)}
          </span>
        </div>
        <div className={styles['split']} data-explains={pointer !== undefined || undefined}>
          {shown.length === 0 ? (
            <EmptyState title={texts.nothingMatches}>
              <Button onClick={() => setText('')}>{texts.clearFilter}</Button>
            </EmptyState>
          ) : (
            <LeavesTable
              leaves={shown}
              originOf={origin}
              nodePath={path}
              secretsReason={mayOn(node, 'secrets', part) ? undefined : texts.needsSecrets}
              {...(part === 'settings' && { keyText: settingName })}
            />
          )}
          {pointer !== undefined && (
            <ExplainPanel
              path={path}
              part={part}
              pointer={pointer}
              at={at}
              canEncrypt={part === 'properties' && at === undefined && canEncrypt(node, path)}
              onClose={() => change({ pointer: undefined })}
            />
          )}
        </div>
      </div>
    </ListStates>
  )
}

/** Whether the user may store a secret and put it into the properties of a node. */
const canEncrypt = (node: ConfigurationTabProps['node'], path: string): boolean =>
  mayOn(node, 'secrets', 'store') && whyReadOnly(node, path, 'properties') === undefined

const settingName = ({ tokens }: Leaf): string => tokens.join('.')

/** Leaves of converged properties; settings are a flat list of names whose values stay whole. */
function leavesIn({ data: { attributes, meta } }: Converged, part: Part): Leaf[] {
  if (part === 'properties') return leavesOf(attributes.data, meta?.property_sources?.by_property)
  const sources = (meta?.setting_sources?.by_setting ?? {}) as Readonly<Record<string, string>>
  return Object.entries(attributes.data).map(([name, value]) => ({
    pointer: pointerOf([name]),
    tokens: [name],
    value,
    source: sources[name],
  }))
}

const NoValues = ({ path }: { path: string }) => (
  <EmptyState title={texts.noProperties} command={texts.noPropertiesCommand(path)}>
    <p>{texts.noPropertiesDetail}</p>
    <Link to="." search={(before: Record<string, unknown>) => ({ ...before, view: 'own' })}>
      {texts.edit}
    </Link>
  </EmptyState>
)
