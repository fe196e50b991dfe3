import Type from 'typebox'
import { sql } from '#platform/db/sql.ts'
import { type AnyView, view } from '#platform/domain.ts'
import type { FailingLoop } from '#platform/jobs/failing-loops.ts'

interface Worker {
  readonly id: string
  readonly role: string
  readonly site: string
  readonly host: string
  readonly pid: number
  readonly release: string
  readonly schema_version: number | null
  readonly started_at: string
  readonly heartbeat_at: string
  readonly failing_loops: readonly FailingLoop[]
}

const answer = Type.Object({
  data: Type.Array(
    Type.Object({
      id: Type.String({ format: 'uuid' }),
      type: Type.Literal('worker'),
      attributes: Type.Object({
        role: Type.String({ description: 'all, api or worker.' }),
        site: Type.String(),
        host: Type.String(),
        pid: Type.Integer(),
        release: Type.String(),
        schema_version: Type.Union([Type.Integer(), Type.Null()], {
          description:
            'Newest migration that the process knows: during an upgrade it tells the processes of two releases apart. null: an earlier release, which does not say.',
        }),
        started_at: Type.String({ format: 'date-time' }),
        heartbeat_at: Type.String({ format: 'date-time', description: 'Time of the last heartbeat.' }),
        failing_loops: Type.Array(
          Type.Object({
            loop: Type.String(),
            failures: Type.Integer({ description: 'Number of failures in a row.' }),
            failing_seconds: Type.Integer({
              description: 'Seconds since the first failure in a row, as of the heartbeat.',
            }),
            error: Type.String({ description: 'Error of the last failure.' }),
          }),
          { description: 'What of its background work failed when it last ran, and is tried again all the time.' },
        ),
      }),
    }),
  ),
  links: Type.Object({ self: Type.String() }),
})

/** GET /api/admin/workers: the processes of the service, the oldest first; not paged, because there are few. */
export const workersView: AnyView = view({
  name: 'workers.list',
  summary: 'Service processes: last heartbeat and failing loops',
  method: 'GET',
  paths: ['/api/admin/workers'],
  answer,
  find: async () => ({}),
  needs: () => [{ right: 'read', path: '/admin/workers' }],
  run: async (_, { database }) => {
    const workers = await database.rows(sql<Worker>`
      select id, role, site, host, pid, release, schema_version, started_at, heartbeat_at, failing_loops
        from service_processes
       order by started_at, id`)
    const data = workers.map(({ id, ...attributes }) => ({ id, type: 'worker', attributes }))
    return { body: { data, links: { self: '/api/admin/workers' } }, headers: { 'cache-control': 'no-store' } }
  },
})
