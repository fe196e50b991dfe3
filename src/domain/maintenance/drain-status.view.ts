import Type from 'typebox'
import { sql } from '#platform/db/sql.ts'
import { type AnyView, view } from '#platform/domain.ts'
import { actionOf } from '../changes/index.ts'
import { oldestTasksInProgress, tasksInProgress } from '../node-tasks/index.ts'
import { activitiesInProgress, instant, oldestInProgress } from '../steps/for-maintenance.ts'
import { workflowOf } from '../workflow-runs/index.ts'
import { type Counts, countedKinds, drainStatus, type InProgress } from './drain-status.ts'

/** Maximum number of blockers named; the counts include all. */
const mostBlockers = 1_000

const orNull = (schema: Type.TSchema, description: string) => Type.Union([schema, Type.Null()], { description })
const time = Type.String({ format: 'date-time' })

const awaitedSchema = Type.Object({
  kind: Type.String({
    description: 'approval, input, timer, paused, slot, cancel, or step: the step that runs.',
  }),
  by: orNull(
    Type.String(),
    'The step that waits or runs, who paused or cancelled it, or the pool that has no free slot.',
  ),
  since: time,
  estimated_until: Type.Optional(time),
  approvers: Type.Optional(
    Type.Object({ user_names: Type.Array(Type.String()), ldap_groups: Type.Array(Type.String()) }),
  ),
})

const blocker = Type.Object({
  type: Type.String({ description: `${countedKinds.join(', ')}.` }),
  id: orNull(Type.String({ format: 'uuid' }), 'Null of what the caller may not read.'),
  name: orNull(Type.String(), 'The action of a change, the workflow of a run, the type of a background task.'),
  path: Type.String({ description: 'Of its node; "hidden" of what the caller may not read.' }),
  status_code: Type.String(),
  since: time,
  created_by: orNull(Type.String(), 'User who created it.'),
  waits_for: orNull(awaitedSchema, 'Person or thing that it waits for; null when it continues by itself.'),
})

const answer = Type.Object({
  data: Type.Object({
    id: Type.String({ format: 'uuid' }),
    type: Type.Literal('drain_status'),
    attributes: Type.Object({
      drained: Type.Boolean({ description: 'True when nothing is in progress.' }),
      active_counts: Type.Object({
        changes: Type.Integer(),
        workflow_runs: Type.Integer(),
        background_tasks: Type.Integer(),
      }),
      blockers: Type.Array(blocker, {
        description: `What is in progress, the oldest first; ${mostBlockers} at most.`,
      }),
    }),
    links: Type.Object({ self: Type.String() }),
  }),
})

/**
 * GET /api/admin/drain_status: what is still in progress, counted and named by one statement, the same for all callers.
 */
export const drainStatusView: AnyView = view({
  name: 'drain_status.show',
  summary: 'Work in progress: counts, drain status and blockers',
  method: 'GET',
  paths: ['/api/admin/drain_status'],
  answer,
  reserved: true,
  find: async () => ({}),
  needs: () => [{ right: 'read', path: '/admin' }],
  run: async (_, { database, actor }) => {
    const { id, counts, oldest } = (await database.one(inProgress))!
    const attributes = drainStatus(counts ?? {}, oldest ?? [], actor.rights)
    const links = { self: '/api/admin/drain_status' }
    return {
      body: { data: { id, type: 'drain_status', attributes, links } },
      headers: { 'cache-control': 'no-store' },
    }
  },
})

const inProgress = sql<{ id: string; counts: Counts | null; oldest: InProgress[] | null }>`
  with counted as (
    ${activitiesInProgress}
     union all
    ${tasksInProgress}
  ),
  oldest as (
    select *
      from (select o.*, coalesce(${actionOf(sql`o.id`)}, ${workflowOf(sql`o.id`)}) as name from (${oldestInProgress(mostBlockers)}) o
             union all
            (${oldestTasksInProgress(mostBlockers)})) everything
     order by since, id
     limit ${mostBlockers}
  )
  select i.id,
         (select json_object_agg(kind, count) from counted) as counts,
         (select json_agg(json_build_object(
                   'kind', kind, 'id', id, 'name', name, 'path', path, 'status', status,
                   'since', ${instant(sql`since`)}, 'created_by', created_by, 'waits', waits) order by since, id)
            from oldest) as oldest
    from installation i`
