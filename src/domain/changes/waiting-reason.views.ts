import { type Sql, sql } from '#platform/db/sql.ts'
import { type AnyView, view } from '#platform/domain.ts'
import { waitingReasonAnswer, waitingReasonDocument } from '../node-tasks/index.ts'
import { isOfExistingNode } from '../nodes/index.ts'
import { readMaintenance } from '../settings/index.ts'
import { whyStepWaits } from '../steps/for-changes.ts'
import { type EngineParts, whyActivityWaits } from '../steps/index.ts'

interface Asked {
  readonly id: string
  readonly readPath: string
}

type Why = typeof whyActivityWaits

/** Reason why a change or a step does not continue: computed on request, and null when nothing blocks it. */
export const waitingReasonViews = ({ superusers }: Pick<EngineParts, 'superusers'>): AnyView[] => [
  waitingReason('changes', 'Reason why a change waits.', findActivityAt('change'), whyActivityWaits, superusers),
  waitingReason('steps', 'Reason why a step waits.', findStepAt, whyStepWaits, superusers),
]

/** View of the waiting reason of a workflow run. */
export const waitingReasonOfRun = ({ superusers }: Pick<EngineParts, 'superusers'>): AnyView =>
  waitingReason(
    'workflow_runs',
    'Reason why a workflow run waits.',
    findActivityAt('workflow_run'),
    whyActivityWaits,
    superusers,
  )

const waitingReason = (
  type: 'changes' | 'steps' | 'workflow_runs',
  summary: string,
  find: (id: Sql) => Sql<Asked>,
  why: Why,
  superusers: EngineParts['superusers'],
): AnyView =>
  view<Asked>({
    name: `${type}.waiting_reason`,
    summary,
    method: 'GET',
    paths: [`/api/${type}/:id/waiting_reason`],
    answer: waitingReasonAnswer,
    find: ({ database, params }) => database.one(find(sql`${params['id'] ?? ''}`)),
    needs: ({ readPath }) => [{ right: 'read', path: readPath }],
    run: async ({ id }, { database }) => {
      const now = await readMaintenance(database)
      const maintenance = { ...now, superusers: now.mode === 'superuser_override' ? await superusers(database) : [] }
      return waitingReasonDocument(id, `/api/${type}/${id}/waiting_reason`, await why(database, id, maintenance))
    },
  })

const findActivityAt = (kind: 'change' | 'workflow_run') => (id: Sql) =>
  sql<Asked>`
  select a.id, a.path as "readPath"
    from activities a
   where a.id = ${id}::uuid and a.kind = ${kind} and ${isOfExistingNode(sql`a.node_id`)}`

const findStepAt = (id: Sql) => sql<Asked>`
  select s.id, a.path as "readPath"
    from steps s join activities a on a.id = s.activity_id
   where s.id = ${id}::uuid and a.kind = 'change' and ${isOfExistingNode(sql`a.node_id`)}`
