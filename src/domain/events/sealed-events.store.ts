import { isDeepStrictEqual } from 'node:util'
import type { Seal } from '#audit/chain.ts'
import { removalType } from '#audit/removals.ts'
import { fromJson } from '#json/from-json.ts'
import type { Queries } from '#platform/db/database.ts'
import { sql } from '#platform/db/sql.ts'
import type { Proof } from './record.store.ts'

/** A seal with its event, and those columns of the event that differ from what was sealed. */
export interface SealedEvent extends Seal {
  readonly event: { readonly created_at: string; readonly body: Buffer } | null
  readonly differing: readonly string[]
}

export interface Head {
  readonly seq: number
  readonly hash: Buffer
}

export const headOf = async (queries: Queries): Promise<Head> =>
  (await queries.one(sql<Head>`select seq, hash from audit_head`))!

/**
 * Maximum number of events read at once, with bodies of about two million bytes together: a single one may have as
 * much.
 */
const batch = { seals: 1_000, bytes: 2_000_000 }

type Row = Head & { event_id: string; digest: Buffer; id: string | null; created_at: string; body: Buffer } & Proof

/** The seals after one number, up to another: in their order, at least one while there are any. */
export async function sealedAfter(queries: Queries, after: number, upTo: number): Promise<SealedEvent[]> {
  const rows = await queries.rows(sql<Row>`
    select *
      from (select s.seq, s.event_id, s.digest, s.hash, e.id, e.created_at, e.body, e.type, e.system, e.username,
                   e.user_id, e.project_id, e.node_id, e.path, e.source_type, e.source_id, e.activity_id, e.attributes,
                   coalesce(sum(octet_length(e.body)) over (order by s.seq rows between unbounded preceding
                                                                                    and 1 preceding), 0) as before
              from (select *
                      from event_seals
                     where seq > ${after} and seq <= ${upTo}
                     order by seq
                     limit ${sql.lit(batch.seals)}) s
              left join events e on e.id = s.event_id) next
     where before < ${sql.lit(batch.bytes)}
     order by seq`)
  return rows.map(({ seq, event_id, digest, hash, id, created_at, body, ...columns }) => ({
    ...{ seq, event_id, digest, hash },
    event: id === null ? null : { created_at, body },
    differing: id === null ? [] : differing(body, columns),
  }))
}

/** The form of the event in lists was not hashed. A body that is not JSON has been changed: its digest differs. */
function differing(body: Buffer, columns: Proof): string[] {
  let sealed: Record<string, unknown>
  try {
    sealed = fromJson(body.toString())
  } catch {
    return []
  }
  return Object.keys(sealed).filter(key => !isDeepStrictEqual(sealed[key], columns[key as keyof Proof]))
}

/** Events about removed events that are sealed behind one number, or not sealed yet. */
export async function removalsReportedAfter(queries: Queries, seq: number): Promise<Buffer[]> {
  const rows = await queries.rows(sql<{ body: Buffer }>`
    select e.body
      from events e
     where e.type = ${sql.lit(removalType)}
       and not exists (select from event_seals s where s.event_id = e.id and s.seq <= ${seq})`)
  return rows.map(({ body }) => body)
}

/** Number of events examined at once, and the id before every other. */
const stretch = 10_000
const lowest = '00000000-0000-0000-0000-000000000000'

/**
 * Events behind one id that the sealer has missed, because they were inserted past it. `walkedTo` is the last id
 * examined; without one all have been examined.
 */
export async function unsealedAfter(
  queries: Queries,
  after: string | null,
): Promise<{ unsealed: string[]; walkedTo: string | null }> {
  const { last, walked, unsealed } = (await queries.one(sql<{
    last: string | null
    walked: number
    unsealed: string[]
  }>`
    with stretch as materialized (
      select id, tx from events where id > coalesce(${after}::uuid, ${sql.lit(lowest)}) order by id limit ${sql.lit(stretch)}
    )
    select (select id from stretch order by id desc limit 1) as last, (select count(*) from stretch) as walked,
           array(select e.id
                   from stretch e
                  where e.tx < (select sealed_below from audit_head)
                    and not exists (select from event_seals s where s.event_id = e.id)
                  order by e.id) as unsealed`))!
  return { unsealed, walkedTo: walked < stretch ? null : last }
}
