import { sql } from '../../src/platform/db/sql.ts'
import type { TestService } from './service.ts'

/** Writes what the service will store of agents that run: an image, a status and log lines. */
export async function runAgents({ database }: TestService): Promise<void> {
  await database.count(sql`
    with built as (
      insert into node_background_tasks (task_type, node_id, project_id, path, status_code, pool, created_by, image_sha,
                                         template_version_history_id)
      select 'BuildAgentImageTask', n.id, n.project_id, n.path, 'success', 'image_build', 'admin', 'sha256:4f1c', h.id
        from nodes n
        join template_version_histories h on h.node_id = n.id and h.active_to is null
       where n.node_type = 'agent'
      returning id, node_id
    )
    update agent_statuses s
       set desired_status = 'running', status = 'running', build_task_id = built.id
      from built
     where s.node_id = built.node_id`)
  await database.count(sql`
    insert into log_chunks (step_id, attempt, first_seq, line_count, activity_id, first_at, last_at, ats, categories,
                            messages)
    select id, 1, 1, 2, id, sluice_now(), sluice_now(), array[sluice_now(), sluice_now()], array['stdout', 'stderr'],
           array['watching 12 queues', 'queue 7 is full']
      from agent_statuses`)
}
