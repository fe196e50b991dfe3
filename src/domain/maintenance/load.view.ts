import Type from 'typebox'
import { sql } from '#platform/db/sql.ts'
import { type AnyView, view } from '#platform/domain.ts'

interface Load {
  readonly process_id: string
  readonly host: string
  readonly pid: number
  readonly heartbeat_at: string
  readonly user_id: string
  readonly username: string | null
  readonly of_steps: boolean
  readonly database_seconds: number
  readonly slow_lane: boolean
}

const answer = Type.Object({
  data: Type.Array(
    Type.Object({
      id: Type.String({ description: 'The process and the user.' }),
      type: Type.Literal('load'),
      attributes: Type.Object({
        process_id: Type.String({ format: 'uuid', description: 'As GET /api/admin/workers names it.' }),
        host: Type.String(),
        pid: Type.Integer(),
        heartbeat_at: Type.String({ format: 'date-time', description: 'Time of the figures.' }),
        user_id: Type.String({ format: 'uuid' }),
        username: Type.Union([Type.String(), Type.Null()], { description: 'Null for a deleted user.' }),
        of_steps: Type.Boolean({
          description: 'Whether the requests came from steps that this user started, not from the user.',
        }),
        database_seconds: Type.Number({ description: 'Time of the database in the minute before.' }),
        slow_lane: Type.Boolean({ description: 'One request at a time, served after those of the others.' }),
      }),
    }),
  ),
  links: Type.Object({ self: Type.String() }),
})

/** GET /api/admin/load: for each process the ten users with most database time in the last minute. */
export const loadView: AnyView = view({
  name: 'load.list',
  summary: 'Top users of the database: ten users of each process, and whether they are throttled',
  method: 'GET',
  paths: ['/api/admin/load'],
  answer,
  reserved: true,
  find: async () => ({}),
  needs: () => [{ right: 'read', path: '/admin/load' }],
  run: async (_, { database }) => {
    const loads = await database.rows(sql<Load>`
      select p.id as process_id, p.host, p.pid, p.heartbeat_at, l."userId" as user_id, u.username,
             l."ofSteps" as of_steps, l.milliseconds / 1000.0::float8 as database_seconds, l."slowLane" as slow_lane
        from service_processes p
       cross join lateral jsonb_to_recordset(p.user_load)
                       as l ("userId" uuid, "ofSteps" boolean, milliseconds int, "slowLane" boolean)
        left join users u on u.id = l."userId"
       where p.heartbeat_at > sluice_now() - interval '30 seconds'
       order by l.milliseconds desc, p.id, l."userId", l."ofSteps"`)
    const data = loads.map(load => ({
      id: `${load.process_id}.${load.of_steps ? 'steps.' : ''}${load.user_id}`,
      type: 'load',
      attributes: load,
    }))
    return { body: { data, links: { self: '/api/admin/load' } }, headers: { 'cache-control': 'no-store' } }
  },
})
