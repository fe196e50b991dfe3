import type { Queries } from '../../src/platform/db/database.ts'
import { sql } from '../../src/platform/db/sql.ts'

/**
 * Differences between the events of ended activities and steps and the expected ones, which follow from their states
 * and attempts, with their counts. Empty: every transition that has an event has it once.
 */
export const transitionsWithoutEvent = (
  queries: Queries,
): Promise<{ what: string; type: string; expected: number; found: number }[]> =>
  queries.rows(sql`
    with names(kind, activities, steps) as (
      values ('change', 'changes', 'steps'), ('workflow_run', 'workflow_runs', 'workflow_steps')),
    expected(id, what, type, times) as (
      select s.id, s.full_path, replace(e.type, 'steps', n.steps), e.times::int
        from steps s
        join activities a on a.id = s.activity_id
        join names n on n.kind = a.kind
       cross join lateral (values
              ('api:steps:start', case when s.step_type in ('wait', 'input', 'approval')
                                       -- One that a retry has taken over begins anew for what is beneath it.
                                       then case when s.retry_of is null then 0 end
                                       when s.definition is null or s.step_type in ('change', 'workflow')
                                            -- Its body has run where a retry took it from; what is beneath it runs here.
                                            or s.attempt = 0 and s.retry_of is not null
                                       then (s.started_at is not null)::int
                                       else s.attempt end),
              ('api:steps:success', (s.status = 'success')::int),
              ('api:steps:cancel', (s.status = 'cancelled')::int),
              ('api:steps:abort', (s.status = 'aborted')::int),
              -- Of a change's step it says that a transition could not be made, after which it is a system_error.
              ('api:steps:error', case when a.kind = 'workflow_run' then (s.status = 'error')::int
                                       when s.status <> 'system_error' then 0 end),
              ('api:steps:system_error', (s.status = 'system_error')::int)) e(type, times)
       -- What a retry has taken over was told of where it ran.
       where s.ran_as is null
      union all
      select a.id, a.path || ' ' || a.status, replace(e.type, 'changes', n.activities), e.times
        from activities a
        join names n on n.kind = a.kind
       cross join lateral (values
              ('api:changes:create', 1),
              ('api:changes:start', (a.started_at is not null)::int),
              ('api:changes:success', (a.status = 'success')::int),
              ('api:changes:error', (a.status = 'error')::int),
              ('api:changes:cancel', (a.status = 'cancelled')::int),
              ('api:changes:abort', (a.status = 'aborted')::int),
              ('api:changes:system_error', (a.status = 'system_error')::int)) e(type, times)
      union all
      -- Where the body ended well, what failed is beneath it and says so itself. One whose failure is ignored says so, too.
      select s.id, s.full_path, 'of a failure',
             (s.definition is not null
              and (s.status = 'error' and s.body <> 'done'
                   or s.status = 'success' and s.ignore_failure and s.error_message is not null and s.ran_as is null))::int
        from steps s
       where s.step_type not in ('change', 'workflow'))
    select x.what, x.type, x.times as expected, f.times as found
      from expected x
     cross join lateral (
       select count(*)::int as times
         from events
        where source_id = x.id
          and (type = x.type or x.type = 'of a failure' and type in ('error:step:action', 'error:step:processing'))) f
     where f.times <> x.times`)
