import type { Queries } from '#platform/db/database.ts'
import { sql } from '#platform/db/sql.ts'
import type { JsonObject } from '#platform/documents/document.ts'
import type { Site } from '#platform/site.ts'

/** Attributes of a plan that tell when its activity would begin and end. */
export type Outlook = {
  readonly same_name_predecessors: readonly string[]
  readonly slots: JsonObject
  readonly estimated_seconds: number | null
}

/** Older activities of the same name, slots, and the median duration of earlier activities of that name. */
export const outlookOf = async (
  queries: Queries,
  about: {
    readonly site: Site
    /** Key of its name. */
    readonly name: string
    readonly nodeId: string
    readonly allowSameName: boolean
    /** Id of an activity that is created only to be planned: it does not queue behind itself. */
    readonly itself: string | null
  },
): Promise<Outlook> =>
  (await queries.one(sql<Outlook>`
    select array(select id::text from activities
                  where site = ${about.site} and name_key = ${about.name} and not final
                    and not ${about.allowSameName}::boolean and id is distinct from ${about.itself}::uuid
                  order by number limit 100) as same_name_predecessors,
           (select jsonb_build_object('pool', pool, 'configured_limit', configured_limit, 'claimed_count', used)
              from slot_pools where site = ${about.site} and pool = 'runner') as slots,
           (select percentile_cont(0.5) within group (order by extract(epoch from took.finished_at - took.started_at))
              from (select started_at, finished_at from activities
                     where node_id = ${about.nodeId}::uuid and name_key = ${about.name} and status = 'success'
                     order by created_at desc, id desc
                     limit 20) took)::float8 as estimated_seconds`))!
