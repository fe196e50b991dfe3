import { type Sql, sql } from '#platform/db/sql.ts'

/**
 * The common table expressions `counted` and `claimed`, which take the lowest free slot of a pool, for the statement
 * that starts its holder: slot and status change together. The caller has locked the pool and seen that it has a free
 * one.
 */
export const claimingSlot = (
  { site, pool }: { readonly site: string; readonly pool: string },
  holder: { readonly kind: 'activity' | 'step' | 'task'; readonly id: string; readonly path: string },
): Sql => sql`
    counted as (
      update slot_pools
         set used = used + 1, updated_at = sluice_now()
       where site = ${site} and pool = ${pool}
      returning site, pool, configured_limit
    ),
    claimed as (
      insert into slot_claims (site, pool, slot, holder_kind, holder_id, node_path)
      select c.site, c.pool,
             (select min(slot)
                from generate_series(1, c.configured_limit) as slot
               where not exists (select from slot_claims taken
                                  where taken.site = c.site and taken.pool = c.pool and taken.slot = slot.slot)),
             ${holder.kind}, ${holder.id}::uuid, ${holder.path}
        from counted c
    )`
