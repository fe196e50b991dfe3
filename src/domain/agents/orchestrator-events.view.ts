import Type from 'typebox'
import { sql } from '#platform/db/sql.ts'
import { type AnyView, view } from '#platform/domain.ts'
import { failure } from '#platform/failure.ts'
import { nodePathOf, pathsOfType } from '../nodes/index.ts'

const answer = Type.Object({
  data: Type.Array(
    Type.Object({
      id: Type.String(),
      type: Type.Literal('agent_event'),
      attributes: Type.Object({ message: Type.String(), created_at: Type.String({ format: 'date-time' }) }),
    }),
  ),
  links: Type.Object({ self: Type.String() }),
})

interface AgentNow {
  readonly readPath: string
  readonly status: string
}

/**
 * View of the orchestrator's events about an agent's container. It has a container only while it runs, and nothing
 * starts one yet.
 */
export const orchestratorEventsView: AnyView = view<AgentNow>({
  name: 'agents.orchestrator_events',
  summary: 'Container of an agent as reported by the orchestrator; 409 unless the agent is running.',
  method: 'GET',
  paths: pathsOfType.agent.map(path => `/api${path}/status/orchestrator_events`),
  answer,
  find: ({ database, params }) =>
    database.one(sql<AgentNow>`
      select n.path as "readPath", s.status
        from nodes n
        join agent_statuses s on s.node_id = n.id
       where n.path = ${nodePathOf(params)} and n.destroyed_at is null`),
  needs: ({ readPath }) => [{ right: 'read', path: readPath }],
  run: async ({ readPath, status }) => {
    throw failure('wrong-state', `${readPath} is ${status}: it has no container that an orchestrator could speak of.`)
  },
})
