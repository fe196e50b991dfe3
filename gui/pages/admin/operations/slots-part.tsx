import { Link } from '@tanstack/react-router'
import { useList, useRecord } from '../../../api/queries.ts'
import type { Resource, ResourceSlotPool } from '../../../api/records.ts'
import { NodePath } from '../../../components/node-path/node-path.tsx'
import { Panel } from '../../../components/page/page.tsx'
import { ListStates, Loaded } from '../../../components/state/query-states.tsx'
import { EmptyState } from '../../../components/state/state.tsx'
import { Duration } from '../../../components/time/time.tsx'
import { slots as texts } from '../../../messages/operations.ts'
import { every } from '../every.ts'
import { Explained } from '../explained.tsx'
import styles from '../part.module.css'

/** Slot as the API describes it; of a holder that the user may not read only the time. */
interface Slot {
  readonly slot: number
  readonly claimed_by: { readonly type: keyof typeof texts.holderTypes; readonly id: string } | null
  readonly node_path: string
  readonly claimed_at: string
}

/** Pools of slots with their use, their holders and what waits. */
export default function SlotsPart() {
  const { records, query } = useList<'resource_slot_pool'>('/api/admin/resource_slots', {}, { every })
  return (
    <ListStates
      query={query}
      count={records.length}
      empty={<EmptyState title={texts.none}>{texts.noneDetail}</EmptyState>}
    >
      <div className={styles['cards']}>
        {records.map(pool => (
          <Pool key={pool.id} pool={pool} />
        ))}
      </div>
    </ListStates>
  )
}

function Pool({ pool: { id, attributes } }: { pool: Resource<ResourceSlotPool> }) {
  const { pool, site, configured_limit: limit, claimed_count: claimed, waiting_count: waiting } = attributes
  const known: Readonly<Record<string, string>> = texts.pools
  const part = limit === 0 ? Number(claimed > 0) : Math.min(1, claimed / limit)
  return (
    <Panel title={texts.title(known[pool] ?? pool, site)} flush>
      <div className={styles['padded']}>
        <div className={styles['line']}>
          <Explained text={texts.used(claimed, limit)} about={texts.about.used} />
          <span className={styles['line']}>
            <Explained text={texts.waiting(waiting)} about={texts.about.waiting} />
            {pool === 'runner' && waiting > 0 && (
              <Link to="/activities" search={{ status: ['queued'] }}>
                {texts.showWaiting}
              </Link>
            )}
          </span>
        </div>
        <div className={styles['bar']} aria-hidden>
          <span style={{ inlineSize: `${part * 100}%` }} />
        </div>
        {claimed > limit && <p className={styles['warning']}>{texts.over}</p>}
      </div>
      {claimed > 0 && <Holders id={id} />}
    </Panel>
  )
}

/** Holders of the slots, which only the record of one pool has. */
function Holders({ id }: { id: string }) {
  const query = useRecord<'resource_slot_pool'>(`/api/admin/resource_slots/${id}`, undefined, { every })
  return (
    <Loaded query={query}>
      {({ attributes }) => (
        <ul className={styles['rows']} aria-label={texts.holders}>
          {(attributes.slots as unknown as readonly Slot[]).map(slot => (
            <li key={slot.slot}>
              <span className={styles['soft']}>{texts.slot(slot.slot)}</span>
              <span className={styles['grow']}>
                <Holder slot={slot} />
              </span>
              <Duration from={slot.claimed_at} />
            </li>
          ))}
        </ul>
      )}
    </Loaded>
  )
}

function Holder({ slot: { claimed_by: holder, node_path: path } }: { slot: Slot }) {
  if (!holder) return <span className={styles['soft']}>{texts.hidden}</span>
  const type = texts.holderTypes[holder.type]
  return (
    <>
      {holder.type === 'activity' ? (
        <Link to="/activities/$id" params={{ id: holder.id }}>
          {type}
        </Link>
      ) : (
        type
      )}{' '}
      <NodePath path={path} links />
    </>
  )
}
