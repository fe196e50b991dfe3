import { sql } from '#platform/db/sql.ts'
import { type AnyView, view } from '#platform/domain.ts'
import { readMaintenance } from '../settings/index.ts'
import { heldTasks } from './in-progress.sql.ts'
import { waitingReasonAnswer, waitingReasonDocument } from './waiting-reason.ts'

interface Waiting {
  readonly id: string
  readonly readPath: string
  readonly waiting: boolean
  readonly pool: string
  readonly full: boolean
  readonly created_at: string
}

/** Why a background task has not begun: computed on request, and null when it waits for nothing. */
export const waitingReasonView: AnyView = view<Waiting>({
  name: 'node_background_tasks.waiting_reason',
  summary: 'Reason why a background task has not started.',
  method: 'GET',
  paths: ['/api/node_background_tasks/:id/waiting_reason'],
  answer: waitingReasonAnswer,
  find: async ({ database, params }) => {
    const row = await database.one(sql<Omit<Waiting, 'readPath'> & { path: string }>`
      select t.id, t.path, t.status_code = 'initializing' as waiting, t.pool, p.used >= p.configured_limit as full,
             t.created_at
        from node_background_tasks t
        join slot_pools p on p.site = t.site and p.pool = t.pool
        join nodes n on n.id = coalesce(t.node_id, t.project_id) and n.destroyed_at is null
       where t.id::text = ${params['id'] ?? ''}`)
    return row && { ...row, readPath: row.path }
  },
  needs: ({ readPath }) => [{ right: 'read', path: readPath }],
  run: async (task, { database }) => {
    const self = `/api/node_background_tasks/${task.id}/waiting_reason`
    const reason = async () => {
      if (!task.waiting) return undefined
      const { mode, by, since } = await readMaintenance(database)
      const held = await database.one(sql`
        select from node_background_tasks t where t.id = ${task.id}::uuid and ${heldTasks(mode)}`)
      if (held) return { kind: 'maintenance', by, since }
      return task.full ? { kind: 'slot', by: task.pool, since: task.created_at } : undefined
    }
    return waitingReasonDocument(task.id, self, await reason())
  },
})
