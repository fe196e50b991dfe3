import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { ArrowLeftRight } from 'lucide-react'
import { sluice } from '../../api/client.ts'
import type { Document, Resource } from '../../api/records.ts'
import { IconButton } from '../../components/button/button.tsx'
import { shellWord } from '../../components/command/words.ts'
import { useDebounced } from '../../components/field/use-debounced.ts'
import { NodePath } from '../../components/node-path/node-path.tsx'
import { Page, Panel } from '../../components/page/page.tsx'
import { Loaded } from '../../components/state/query-states.tsx'
import { EmptyState } from '../../components/state/state.tsx'
import { comparison as texts } from '../../messages/compare.ts'
import { PathField } from '../access/path-field.tsx'
import { ChangedList } from '../configuration/changed-list.tsx'
import { changedPointers, changedValues } from '../configuration/changed-values.ts'
import type { Part } from '../configuration/node.ts'
import styles from './compare.module.css'
import { readCompareSearch } from './search.ts'

/** Effective values of both nodes in one area, and their difference as a JSON Patch. */
interface Area {
  readonly a: unknown
  readonly b: unknown
  readonly difference: readonly { readonly path: string }[]
}

type Comparison = Document<
  Resource<{
    readonly node_path_a: string
    readonly node_path_b: string
    readonly properties: Area
    readonly settings: Area
  }>
>

/** Two nodes beside each other: the effective properties and settings that differ. The address has both paths. */
export function ComparePage() {
  const { a = '', b = '' } = useSearch({ from: '/compare' })
  const navigate = useNavigate({ from: '/compare' })
  const change = (to: { readonly a?: string; readonly b?: string }) =>
    void navigate({ search: before => ({ ...readCompareSearch({ ...before, ...to }) }), replace: true })
  const [textA, setA] = useDebounced(a, value => change({ a: value.trim() }))
  const [textB, setB] = useDebounced(b, value => change({ b: value.trim() }))
  const isChosen = a !== '' && b !== ''
  return (
    <Page
      title={texts.title}
      documentTitle={isChosen ? `${a} · ${b}` : texts.title}
      subtitle={texts.subtitle}
      commands={isChosen ? [compareCommand(a, b)] : []}
    >
      <div className={styles['fields']}>
        <PathField label={texts.a} value={textA} onChange={setA} />
        <IconButton label={texts.swap} onClick={() => change({ a: b, b: a })}>
          <ArrowLeftRight size={16} aria-hidden />
        </IconButton>
        <PathField label={texts.b} value={textB} onChange={setB} />
      </div>
      {isChosen ? <Differences a={a} b={b} /> : <EmptyState title={texts.choose}>{texts.chooseDetail}</EmptyState>}
    </Page>
  )
}

const compareCommand = (a: string, b: string): string =>
  `sluice api POST /api/compare_nodes ${shellWord(`node_path_a=${a}`)} ${shellWord(`node_path_b=${b}`)}`

function Differences({ a, b }: { a: string; b: string }) {
  const query = useQuery({
    queryKey: ['comparison', a, b],
    queryFn: async () => {
      const attributes = { node_path_a: a, node_path_b: b }
      return (await sluice().send('POST', '/api/compare_nodes', { data: { attributes } })) as unknown as Comparison
    },
  })
  return (
    <Loaded query={query}>
      {({ data: { attributes } }) => (
        <>
          <p className={styles['note']}>
            <span>
              A <NodePath path={attributes.node_path_a} links />
            </span>
            <span>
              B <NodePath path={attributes.node_path_b} links />
            </span>
          </p>
          <AreaPanel part="properties" area={attributes.properties} />
          <AreaPanel part="settings" area={attributes.settings} />
        </>
      )}
    </Loaded>
  )
}

/** Differences of one area. Of settings, the service tells which secrets differ, which are not shown. */
function AreaPanel({ part, area }: { part: Part; area: Area }) {
  const pointers =
    part === 'properties' ? changedPointers(area.a, area.b) : [...new Set(area.difference.map(({ path }) => path))]
  return (
    <Panel title={texts[part]}>
      <ChangedList
        label={texts[part]}
        values={changedValues(area.a, area.b, pointers)}
        part={part}
        kinds={texts.kinds}
        same={texts.same}
      />
    </Panel>
  )
}
