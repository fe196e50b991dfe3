import type { Queries } from '#platform/db/database.ts'
import { sql } from '#platform/db/sql.ts'
import { comingOrLive } from '../runners/index.ts'

export interface Inconsistency {
  what: string
  id: string
  found: string
}

/**
 * Finds counters that differ from the rows that they count, and stuck activities: there must never be a row. Called
 * after every database test of the engine, and by `doctor`.
 */
export function inconsistencies(queries: Queries): Promise<Inconsistency[]> {
  return queries.rows(sql<Inconsistency>`
    select 'children of a step' as what, p.id::text as id,
           format('open %s, failed %s, broken %s, all %s; stored %s, %s, %s, %s',
                  c.open, c.failed, c.broken, c.all,
                  p.open_children, p.failed_children, p.system_failed_children, p.children) as found
      from steps p
      left join (
        select parent_id,
               count(*) filter (where not final)                                      as open,
               count(*) filter (where final and status not in ('success', 'skipped')) as failed,
               count(*) filter (where status = 'system_error')                        as broken,
               count(*)                                                               as all
          from steps group by parent_id) c on c.parent_id = p.id
     where (coalesce(c.open, 0), coalesce(c.failed, 0), coalesce(c.broken, 0), coalesce(c.all, 0))
           is distinct from (p.open_children, p.failed_children, p.system_failed_children, p.children)
    union all
    select 'steps of an activity', a.id::text,
           format('pending %s, queued %s, running %s, waiting %s, approval %s; stored %s, %s, %s, %s, %s',
                  c.pending, c.queued, c.running, c.waiting, c.approval,
                  a.n_pending, a.n_queued, a.n_running, a.n_waiting, a.n_waiting_approval)
      from activities a
      left join (
        select activity_id,
               count(*) filter (where status = 'pending')                    as pending,
               count(*) filter (where status = 'queued')                     as queued,
               count(*) filter (where status = 'running' and body = 'open')  as running,
               count(*) filter (where status = 'waiting')                    as waiting,
               count(*) filter (where status = 'waiting' and needs_approval) as approval
          from steps group by activity_id) c on c.activity_id = a.id
     where (coalesce(c.pending, 0), coalesce(c.queued, 0), coalesce(c.running, 0), coalesce(c.waiting, 0),
            coalesce(c.approval, 0))
           is distinct from (a.n_pending, a.n_queued, a.n_running, a.n_waiting, a.n_waiting_approval)
    union all
    select 'an ended activity with unfinished steps', a.id::text, a.status
      from activities a
     where a.final and a.n_pending + a.n_queued + a.n_running + a.n_waiting > 0
    union all
    select 'a started activity of which nothing is under way', a.id::text, a.status
      from activities a
     where a.status in ('running', 'waiting', 'queued') and a.n_queued + a.n_running + a.n_waiting = 0
       and (a.root_step_id is not null or a.status <> 'running')
    union all
    select 'an unfinished step below one that ended', s.id::text, s.status
      from steps s join steps p on p.id = s.parent_id
     where p.final and not s.final
    union all
    select 'a running step whose runner is gone', s.id::text, r.gone_reason
      from steps s join runners r on r.id = s.runner_id
     where s.status = 'running' and s.body = 'open' and r.status = 'gone'
    union all
    select 'claims of a pool', p.site || '/' || p.pool, format('%s claims, stored %s', count(c.id), p.used)
      from slot_pools p left join slot_claims c on c.site = p.site and c.pool = p.pool
     group by p.site, p.pool, p.used
    having count(c.id) <> p.used
    union all
    select 'the slot of an activity', a.id::text, format('claimed %s, stored %s', c.id is not null, a.holds_slot)
      from activities a left join slot_claims c on c.holder_id = a.id and c.holder_kind = 'activity'
     where (c.id is not null) <> a.holds_slot
    union all
    select 'an ended activity that holds a slot', a.id::text, a.status
      from activities a
     where a.final and (a.holds_slot or a.n_slots > 0)
    union all
    select 'slots of the steps of an activity', a.id::text, format('claimed %s, stored %s', coalesce(c.slots, 0), a.n_slots)
      from activities a
      left join (
        select s.activity_id, count(*) as slots
          from slot_claims k join steps s on s.id = k.holder_id
         where k.holder_kind = 'step' group by s.activity_id) c on c.activity_id = a.id
     where coalesce(c.slots, 0) <> a.n_slots
    union all
    select 'more steps at once than the change lets run', a.id::text, format('%s of %s', a.n_slots, a.parallel_steps)
      from activities a
     where a.n_slots > a.parallel_steps
    union all
    select 'a slot for a step that needs none', c.holder_id::text, coalesce(s.status, 'there is no such step')
      from slot_claims c left join steps s on s.id = c.holder_id
     where c.holder_kind = 'step'
       and (s.id is null or not (s.status = 'queued' or s.status = 'running' and s.body = 'open'))
    union all
    select 'a slot for a queued step that no runner is for', c.holder_id::text, r.status
      from slot_claims c
      join steps s on s.id = c.holder_id and s.status = 'queued'
      left join runners r on r.step_id = s.id and r.status in ${comingOrLive}
     where c.holder_kind = 'step' and r.id is null
    union all
    select 'a running step without the slot that it needs', s.id::text, s.status
      from steps s join activities a on a.id = s.activity_id
     where a.pod_per_step and not a.holds_slot and s.status = 'running' and s.body = 'open'
       and not exists (select from slot_claims c where c.holder_id = s.id)
    union all
    select 'a name without a head', n.site || '/' || n.name_key, 'its oldest is not the head'
      from (select distinct site, name_key from activities where not final) n
     cross join lateral (
       select a.head from activities a
        where a.site = n.site and a.name_key = n.name_key and not a.final
        order by a.number limit 1) oldest
     where not oldest.head
       and not exists (select from name_checks k where k.site = n.site and k.name_key = n.name_key)`)
}
