import { inBatches } from '#platform/db/batches.ts'
import { type Sql, sql } from '#platform/db/sql.ts'
import type { Runtime } from '#platform/domain.ts'
import { areGone, deleteWork } from '../runners/index.ts'

/**
 * Deletes the template data of destroyed nodes: background tasks, actions and history of assets and agents, and of
 * projects their templates, versions, and the data of their commits.
 *
 * @returns nodes of which a background task has not ended
 */
export async function deleteTemplatesOfNodes(runtime: Runtime, nodes: readonly string[]): Promise<string[]> {
  const { database, stopping } = runtime
  const given = sql`${[...nodes]}::uuid[]`
  const versionsOf = (projects: Sql) => sql`
    select v.id from templates t join template_versions v on v.template_id = t.id where t.project_id = any(${projects})`
  const ofThem = sql`
    select id from node_background_tasks where node_id = any(${given})
     union all
    select id from node_background_tasks where template_version_id in (${versionsOf(given)})`
  await deleteTasks(runtime, ofThem)
  const busy = await database.rows(sql<{ node_id: string | null; project_id: string }>`
    select distinct node_id, project_id from node_background_tasks where id in (${ofThem})`)
  const kept = new Set(busy.flatMap(({ node_id, project_id }) => [node_id, project_id]))
  const free = nodes.filter(id => !kept.has(id))
  const rest = sql`${free}::uuid[]`
  const remotes = sql`select r.id from git_remotes r where r.project_id = any(${rest})`
  const each: readonly ((most: Sql<number>) => Sql)[] = [
    most => sql`delete from node_actions
                 where node_id in (select node_id from node_actions where node_id = any(${rest}) limit ${most})`,
    most => sql`delete from template_version_histories
                 where id in (select id from template_version_histories where node_id = any(${rest}) limit ${most})`,
    most => sql`delete from template_version_commits
                 where id in (select id from template_version_commits
                               where template_version_id in (${versionsOf(rest)}) limit ${most})`,
    most => sql`delete from template_versions where id in (${versionsOf(rest)} limit ${most})`,
    most => sql`delete from templates
                 where id in (select id from templates where project_id = any(${rest}) limit ${most})`,
    most => sql`delete from action_catalogues
                 where id in (select id from action_catalogues where git_remote_id in (${remotes}) limit ${most})`,
    most => sql`delete from model_files
                 where (git_remote_id, commit_sha, folder) in
                       (select git_remote_id, commit_sha, folder from model_files
                         where git_remote_id in (${remotes}) limit ${most})`,
  ]
  for (const some of each) await inBatches(stopping, most => database.count(some(sql<number>`${most}`)))
  return nodes.filter(id => kept.has(id))
}

const together = 100

/** Deletes ended tasks, with their logs and runners. */
async function deleteTasks(runtime: Runtime, which: Sql): Promise<void> {
  const { database, stopping } = runtime
  for (;;) {
    stopping.throwIfAborted()
    const ended = await database.rows(sql<{ id: string }>`
      select b.id
        from node_background_tasks b
       where b.id in (${which}) and b.status_code not in ('initializing', 'running')
         and ${areGone(sql`r.task_id = b.id`)}
       limit ${together}`)
    if (ended.length === 0) return
    const ids = ended.map(({ id }) => id)
    await deleteWork(runtime, ids)
    await database.count(sql`delete from node_background_tasks where id = any(${ids}::uuid[])`)
  }
}
