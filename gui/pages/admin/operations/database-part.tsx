import { useDocument } from '../../../api/queries.ts'
import type { Resource } from '../../../api/records.ts'
import { Panel } from '../../../components/page/page.tsx'
import { Loaded } from '../../../components/state/query-states.tsx'
import { duration } from '../../../components/time/format.ts'
import { database as texts } from '../../../messages/operations.ts'
import { every } from '../every.ts'
import { Explained } from '../explained.tsx'
import styles from '../part.module.css'
import { sizeText } from './size.ts'

interface DatabaseFacts {
  readonly version: string
  readonly bytes: number
  readonly connections: number
  readonly maximum_connections: number
  readonly oldest_transaction_seconds: number | null
  readonly newest_migration: string
  readonly in_recovery: boolean
}

/** State of the database. */
export default function DatabasePart() {
  const query = useDocument<{ data: Resource<DatabaseFacts> }>('/api/admin/database', undefined, { every })
  return (
    <Loaded query={query}>
      {({ data: { attributes } }) => (
        <Panel>
          <dl className={styles['details']}>
            {factsOf(attributes).map(([row, value]) => (
              <div key={row}>
                <dt>
                  <Explained text={texts.rows[row][0]} about={texts.rows[row][1]} />
                </dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
        </Panel>
      )}
    </Loaded>
  )
}

function factsOf(facts: DatabaseFacts): [row: keyof typeof texts.rows, value: string][] {
  const { oldest_transaction_seconds: seconds } = facts
  return [
    ['version', facts.version],
    ['bytes', sizeText(facts.bytes)],
    ['connections', texts.connections(facts.connections, facts.maximum_connections)],
    ['oldest', seconds === null ? texts.noTransaction : duration(seconds * 1_000)],
    ['migration', facts.newest_migration],
    ['recovery', facts.in_recovery ? texts.replica : texts.primary],
  ]
}
