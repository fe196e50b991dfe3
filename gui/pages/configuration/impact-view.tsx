import { useQuery } from '@tanstack/react-query'
import { sluice } from '../../api/client.ts'
import { recordKey } from '../../api/keys.ts'
import { isStatus } from '../../api/query-client.ts'
import { isSecret } from '../../api/secret-reference.ts'
import { Tag } from '../../components/chip/chip.tsx'
import { NodePath } from '../../components/node-path/node-path.tsx'
import { Loaded } from '../../components/state/query-states.tsx'
import { configuration as texts } from '../../messages/configuration.ts'
import styles from './configuration.module.css'
import type { Data } from './data.ts'
import { type AffectedGroup, type Impact, type ImpactDocument, impactOf, type Operation } from './impact.ts'
import { pathText, tokensOf } from './leaves.ts'
import { Value } from './leaves-table.tsx'

const groupsShown = 5
const nodesShown = 8
const changesShown = 8
/** Nodes that the service examines for one answer at most. */
const mostNodes = 500

interface ImpactViewProps {
  /** Path of the record in the API. */
  readonly own: string
  /** Version that the document would replace. */
  readonly version: number
  readonly data: Data
  /** Called with the error if the service refuses the document. */
  readonly onRefused?: ((error: unknown) => void) | undefined
  /** Called if another version has been saved meanwhile. */
  readonly onStale?: (() => Promise<void>) | undefined
}

/** Nodes whose effective values would change with a document, with examples; nothing is written. */
export function ImpactView({ own, version, data, onRefused, onStale }: ImpactViewProps) {
  const impact = useQuery({
    queryKey: [...recordKey(own), 'impact', version, data],
    queryFn: async () => {
      try {
        return impactOf(await readImpact(own, { data, version }))
      } catch (error) {
        if (isStatus(error, 409)) await onStale?.()
        else onRefused?.(error)
        throw error
      }
    },
    staleTime: 0,
    gcTime: 0,
  })
  return (
    <section className={styles['section']}>
      <h3>{texts.impact}</h3>
      {isStatus(impact.error, 409) ? (
        <p className={styles['soft']}>{texts.impactStale}</p>
      ) : (
        <Loaded query={impact} skeleton={3}>
          {found => <Summary impact={found} />}
        </Loaded>
      )}
    </section>
  )
}

const readImpact = (own: string, attributes: { data: Data; version: number }): Promise<ImpactDocument> =>
  sluice().send('POST', `${own}/impact`, {
    query: { limit: mostNodes },
    data: { attributes },
  }) as Promise<unknown> as Promise<ImpactDocument>

function Summary({ impact: { groups, counts, examined, isPartial, notConverging } }: { impact: Impact }) {
  return (
    <>
      <p>
        {groups.length === 0
          ? texts.noneAffected(examined)
          : texts.affected(counts.map(([type, count]) => texts.countOf(type, count)).join(', '))}{' '}
        {isPartial && texts.partial(examined)}
      </p>
      {groups.length > 0 && (
        <ul className={styles['affected']}>
          {groups.slice(0, groupsShown).map(group => (
            <Affected key={group.paths[0]} group={group} />
          ))}
        </ul>
      )}
      {groups.length > groupsShown && (
        <p className={styles['soft']}>
          {texts.moreNodes(groups.slice(groupsShown).reduce((sum, { paths }) => sum + paths.length, 0))}
        </p>
      )}
      {notConverging.length > 0 && (
        <div className={styles['problems']}>
          <p className={styles['strong']}>{texts.notConverging}</p>
          <ul>
            {notConverging.map(({ node_path: path, reason }) => (
              <li key={path}>
                <NodePath path={path} /> {reason}
              </li>
            ))}
          </ul>
        </div>
      )}
    </>
  )
}

/** Values that change, and the nodes on which they do. */
function Affected({ group: { paths, changes } }: { group: AffectedGroup }) {
  return (
    <li>
      <ul className={styles['operations']}>
        {changes.slice(0, changesShown).map(change => (
          <Change key={`${change.op}${change.path}`} change={change} />
        ))}
        {changes.length > changesShown && (
          <li className={styles['soft']}>{texts.moreChanges(changes.length - changesShown)}</li>
        )}
      </ul>
      <ul className={styles['nodes']}>
        {paths.slice(0, nodesShown).map(path => (
          <li key={path}>
            <NodePath path={path} />
          </li>
        ))}
        {paths.length > nodesShown && <li className={styles['soft']}>{texts.moreNodes(paths.length - nodesShown)}</li>}
      </ul>
    </li>
  )
}

const Change = ({ change: { op, path, value } }: { change: Operation }) => (
  <li>
    <Tag>{texts.operations[op] ?? op}</Tag> <code>{pathText(tokensOf(path))}</code>{' '}
    {value !== undefined && (isSecret(value) ? <code>••••••</code> : <Value value={value} />)}
  </li>
)
