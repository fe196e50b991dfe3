import { sql } from '#platform/db/sql.ts'
import type { Extends } from '#platform/domain.ts'

/** Columns of an agent in addition to those of every node: its status. `n` is the node. */
export const nodeStatus: Extends = {
  joins: { agent_status: sql`left join agent_statuses agent_status on agent_status.node_id = n.id` },
  relationships: {
    agent_status: {
      kind: 'one',
      type: 'agent_status',
      sql: sql`agent_status.id`,
      paths: 'own',
      describe: 'Whether it runs, and on which image.',
      related: row => `/api${row['path']}/status`,
    },
  },
  included: ['latest_node_background_tasks', 'agent_status'],
  onCreate: async ({ tx }, { id }) => {
    await tx.count(sql`insert into agent_statuses (node_id) values (${id}::uuid)`)
  },
  // A requested agent is in use before it runs, and a stopping one until it is gone.
  inUse: ids => sql`
    select s.id, 'agent_status' as what, n.path
      from agent_statuses s
      join nodes n on n.id = s.node_id
     where s.node_id = any(${ids}::uuid[]) and (s.desired_status = 'running' or s.status <> 'absent')`,
}
