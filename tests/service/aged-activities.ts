import type { Database } from '../../src/platform/db/database.ts'
import { sql } from '../../src/platform/db/sql.ts'
import type { Dice } from '../support/dice.ts'

/** An activity as inserted into the tables, with its age. */
export interface Aged {
  readonly id: string
  readonly status: 'success' | 'error' | 'cancelled' | 'initializing'
  readonly path: string
  /** Days since its creation, and since its end. */
  readonly madeDays: number
  readonly endedDays: number
  readonly retryOf: string | null
  /** Whether its runner is still ending. */
  readonly runner: boolean
}

/** The attributes of a definition that select records. */
export interface Wanted {
  readonly older_than: string
  readonly node_paths: readonly string[]
  readonly filters: Readonly<Record<string, string | readonly string[]>>
  readonly maximum_per_run: number | null
}

const front = '/projects/shop/environments/live/assets/front'

/** Copies of an ended change, of any age and in any state, some of them retries of others. */
export async function agedActivities(database: Database, original: string, dice: Dice, count: number): Promise<Aged[]> {
  const those: Aged[] = []
  for (let n = 0; n < count; n += 1) {
    // All ages differ, also from the age in the definition.
    const endedDays = dice(10) + (n + 1) / 1_000
    const status = (['success', 'error', 'cancelled', 'initializing'] as const)[dice(8) % 4]!
    const { id } = (await database.one(sql<{ id: string }>`select sluice_uuid7() as id`))!
    const before = those[dice(count)]
    const aged: Aged = {
      ...{ id, status, path: front, endedDays, madeDays: endedDays + dice(3) },
      retryOf: before && before.status !== 'initializing' ? before.id : null,
      runner: dice(12) === 0 && status !== 'initializing',
    }
    await insert(database, original, aged)
    those.push(aged)
  }
  return those
}

/** The rule itself: it has ended, long enough ago, matches the filters, and nothing unfinished needs it. */
export function goes(each: Aged, all: readonly Aged[], { older_than, node_paths, filters }: Wanted): boolean {
  const days = { P1D: 1, P3D: 3, P5DT12H: 5.5, P1W: 7 }[older_than]!
  const meant = node_paths.some(path =>
    path.endsWith('%') ? each.path.startsWith(path.slice(0, -1)) : each.path === path,
  )
  const { status_code_eq: same, status_code_in: among } = filters
  const filtered = (same === undefined || each.status === same) && (among === undefined || among.includes(each.status))
  const retried = all.some(other => other.retryOf === each.id && other.status === 'initializing')
  return each.status !== 'initializing' && each.endedDays > days && meant && filtered && !retried && !each.runner
}

async function insert(database: Database, original: string, aged: Aged): Promise<void> {
  const final = aged.status !== 'initializing'
  const ago = (days: number) => sql`sluice_now() - ${`${days * 86_400} seconds`}::interval`
  await database.transaction(async tx => {
    await tx.count(sql`
      insert into activities (id, kind, node_id, project_id, path, name_key, status, created_by, created_at, started_at,
                              finished_at)
      select ${aged.id}::uuid, kind, node_id, project_id, path, name_key, ${aged.status}, created_by,
             ${ago(aged.madeDays)}, ${ago(aged.madeDays)}, ${final ? ago(aged.endedDays) : sql`null`}
        from activities where id = ${original}::uuid`)
    const columns = await tx.rows(sql<{ name: string }>`
      select column_name as name from information_schema.columns
       where table_schema = 'public' and table_name = 'changes' and is_generated = 'NEVER'
         and column_name not in ('id', 'retry_of')`)
    const others = sql.join(columns.map(({ name }) => sql.ref(name)))
    await tx.count(sql`
      insert into changes (id, retry_of, ${others})
      select ${aged.id}::uuid, ${aged.retryOf}::uuid, ${others} from changes where id = ${original}::uuid`)
    if (aged.runner)
      await tx.count(sql`
        insert into runners (activity_id, site, kind, status)
        values (${aged.id}::uuid, 'where nobody serves', 'process', 'stopping')`)
  })
}

/** Deletes those that still exist; the service itself would not have created any of them. */
export async function forgetAged(database: Database, those: readonly Aged[]): Promise<void> {
  const ids = sql`${those.map(({ id }) => id)}::uuid[]`
  await database.count(sql`delete from runners where activity_id = any(${ids})`)
  await database.count(sql`update changes set retry_of = null where retry_of = any(${ids})`)
  await database.count(sql`delete from activities where id = any(${ids})`)
}
