import Type from 'typebox'
import type { ActionCatalogue } from '#authoring/actions/action.ts'
import { actionObjects } from '#authoring/actions/action-tree.ts'
import { fromJson } from '#json/from-json.ts'
import type { Context } from '#platform/commands/command.ts'
import { sql } from '#platform/db/sql.ts'
import type { CreatedRecord, Extends } from '#platform/domain.ts'
import { type FailureCode, type Fault, failure } from '#platform/failure.ts'
import type { Column, Reader, Row } from '#platform/jsonapi/resource.ts'
import { withModelActions } from '../action-catalogue/index.ts'
import { cancelTasksOf } from '../node-tasks/index.ts'
import { refreshNode, refreshRestored } from './refresh-nodes.jobs.ts'
import { type Template, templateByCode } from './template.store.ts'
import { shareVersionNamed, type TemplateVersion } from './template-version.store.ts'

const taskUnderWay = sql<boolean>`exists (select from node_background_tasks b
                        where b.node_id = n.id and b.status_code in ('initializing', 'running'))`

/**
 * The latest background task of each type of a node `n`: one probe of an index for each type, where `distinct on` would read
 * all tasks that the node ever had.
 */
const latestTasks = sql`
  array(with recursive latest as (
          (select b.task_type, b.id from node_background_tasks b
            where b.node_id = n.id
            order by b.task_type, b.request_number desc limit 1)
           union all
          select next.task_type, next.id
            from latest
           cross join lateral (
                  select b.task_type, b.id from node_background_tasks b
                   where b.node_id = n.id and b.task_type > latest.task_type
                   order by b.task_type, b.request_number desc limit 1) next)
        select latest.id from latest order by latest.task_type)`

/** Actions of the asset's model, for callers who may see them; undefined when it has no valid model. */
export type ModelActions = (row: Row, reader: Reader) => Promise<ActionCatalogue | undefined>

/** Column of the actions of a node `n`. */
export const nodeActions = (modelActions: ModelActions) =>
  ({
    kind: 'json',
    sql: sql<string | null>`(select case when k.state = 'ready' then coalesce((select own.actions
                                                                from node_actions o
                                                                join action_catalogues own on own.id = o.catalogue_id
                                                               where o.node_id = n.id and k.reads_input), k.actions) end
              from template_version_commits c
              join action_catalogues k on k.git_remote_id = c.git_remote_id and k.commit_sha = c.commit_sha
                                      and k.folder = n.template_code and k.input_sha = ''
             where c.template_version_id = n.template_version_id and c.active_to is null)`,
    showOnly: true,
    describe: 'Actions that can be run on it: those of its template version and of its model that have a description.',
    schema: Type.Array(Type.Object({}, { additionalProperties: true })),
    read: async (text: unknown, reader: Reader, row: Row) => {
      if (text === null) return []
      const file = fromJson(text as string) as ActionCatalogue
      const model = await modelActions(row, reader)
      return actionObjects(model ? withModelActions(file, model) : file)
    },
  }) as const satisfies Column

/** Columns of assets and agents from their template: its names, its actions, and the history of versions. */
export const nodeTemplate = (modelActions: ModelActions = async () => undefined): Extends => ({
  columns: {
    template_code: {
      kind: 'text',
      sql: sql`n.template_code`,
      nullable: true,
      describe: 'Template that it is created from.',
    },
    template_version: {
      kind: 'text',
      sql: sql`n.template_version`,
      nullable: true,
      describe: 'Current template version.',
    },
    task_active: {
      kind: 'boolean',
      sql: taskUnderWay,
      // As a plain condition it starts from the few running tasks, not from the nodes.
      equals: value => (value === 'true' ? taskUnderWay : sql<boolean>`not ${taskUnderWay}`),
      describe: 'Whether a background task of it is in progress.',
    },
    actions: nodeActions(modelActions),
  },
  relationships: {
    template: {
      kind: 'one',
      type: 'template',
      sql: sql`n.template_id`,
      paths: row => [templatePathOf(row)],
      describe: 'What it is made from.',
      related: row => `/api${templatePathOf(row)}`,
    },
    template_version: {
      kind: 'one',
      type: 'template_version',
      sql: sql`n.template_version_id`,
      paths: row => [templatePathOf(row)],
      describe: 'The version of its template that it has now.',
      related: row => `/api${templatePathOf(row)}/versions/${encodeURIComponent(String(row['template_version']))}`,
    },
    latest_node_background_tasks: {
      kind: 'many',
      type: 'node_background_task',
      sql: latestTasks,
      describe: 'The latest background task of each type.',
    },
  },
  links: row => ({
    node_background_tasks: `/api${row['path']}/node_background_tasks`,
    version_history: `/api${row['path']}/version_history`,
  }),
  included: ['template', 'template_version'],
  createAttributes: {
    template_code: Type.String({ minLength: 1, maxLength: 100, description: 'Template of the same project.' }),
    template_version: Type.String({ minLength: 1, maxLength: 100, description: 'A ready version of that template.' }),
  },
  updateAttributes: {
    template_version: Type.Optional(
      Type.String({ minLength: 1, maxLength: 100, description: 'Another ready version of its template.' }),
    ),
    template_version_commit: Type.Optional(
      Type.String({
        pattern: '^([0-9a-f]{40}|[0-9a-f]{64})$',
        shouldBe: 'the whole id of a commit, 40 or 64 hex digits',
        description:
          'Commit that the given template_version is expected to have: 409 if it has another one by now, fetched since.',
      }),
    ),
  },
  onCreate: async (context, node, { template_code, template_version }) => {
    const template = await usableTemplate(context, node, String(template_code))
    const version = await usableVersion(context, template, String(template_version))
    await open(context, node, version, node.createdAt)
    await refreshNode(context.tx, node.id, 'create', context.actor)
  },
  onUpdate: async (context, node, { archived, template_version, template_version_commit: commit }) => {
    if (archived === false) await refreshRestored(context.tx, node.id, context.actor)
    if (template_version === undefined) {
      if (commit === undefined) return false
      throw wrong('invalid', 'This is the commit of a template_version, which is missing.', 'template_version_commit')
    }
    const now = await context.tx.one(sql<{ template_id: string; code: string; path: string; version: string }>`
      select h.template_id, t.code, t.path, v.version
        from template_version_histories h
        join templates t on t.id = h.template_id
        join template_versions v on v.id = h.template_version_id
       where h.node_id = ${node.id}::uuid and h.active_to is null`)
    if (!now || now.version === template_version) return false
    // Whether such a version exists, and its state, is revealed only to readers of the template.
    if (!context.actor.rights.may('read', now.path))
      throw wrong('invalid', 'There is no other version of its template that you may read.', 'template_version')
    const version = await usableVersion(context, { id: now.template_id, code: now.code }, String(template_version))
    if (commit !== undefined && commit !== version.commit_sha)
      throw wrong(
        'stale-version',
        `Version "${version.version}" is at commit ${version.commit_sha} now, not ${commit}: look at it again.`,
        'template_version_commit',
      )
    return giveVersion(context, node, version)
  },
  onDestroy: async ({ tx, actor }, ids) => {
    await cancelTasksOf(tx, ids, actor.username)
    await tx.count(sql`
      update template_version_histories
         set active_to = greatest(sluice_now(), active_from + interval '1 microsecond')
       where node_id = any(${ids}::uuid[]) and active_to is null`)
  },
})

const templatePathOf = (row: Row): string => `${row['project_path']}/templates/${row['template_code']}`

/**
 * Assigns this version of its template to the node, which is locked, from now on. Returns whether it had another one
 * before. The periods end and begin at one instant: at no time does the node have two versions, or none.
 */
export async function giveVersion(context: Context, node: CreatedRecord, version: TemplateVersion): Promise<boolean> {
  const closed = await context.tx.one(sql<{ at: string }>`
    update template_version_histories
       set active_to = greatest(sluice_now(), active_from + interval '1 microsecond')
     where node_id = ${node.id}::uuid and active_to is null and template_version_id <> ${version.id}::uuid
    returning active_to as at`)
  if (!closed) return false
  await open(context, node, version, closed.at)
  await refreshNode(context.tx, node.id, 'template_version_change', context.actor)
  return true
}

async function open(
  { tx, actor }: Context,
  node: CreatedRecord,
  version: TemplateVersion,
  from: string,
): Promise<void> {
  await tx.count(sql`
    insert into template_version_histories (node_id, project_id, path, template_id, template_version_id, created_by,
                                            user_id, active_from)
    values (${node.id}::uuid, ${node.projectId}::uuid, ${node.path}, ${version.template_id}::uuid, ${version.id}::uuid,
            ${actor.username}, ${actor.userId}::uuid, ${from}::timestamptz)`)
}

/** Template of that code; one that the caller may not read is treated as missing. */
async function usableTemplate({ tx, actor }: Context, node: CreatedRecord, code: string): Promise<Template> {
  const template = await templateByCode(tx, node.projectId, code)
  if (!template || !actor.rights.may('read', template.path))
    throw wrong('invalid', `There is no template "${code}" in the project.`, 'template_code')
  if (template.template_type !== node.type)
    throw wrong('invalid', `The template "${code}" is for a node of type ${template.template_type}.`, 'template_code')
  if (template.archived) throw wrong('archived', `The template "${code}" is archived.`, 'template_code')
  if (template.disabled) throw wrong('wrong-state', `The template "${code}" is disabled.`, 'template_code')
  return template
}

async function usableVersion(
  { tx }: Context,
  template: Pick<Template, 'id' | 'code'>,
  name: string,
): Promise<TemplateVersion> {
  const version = await shareVersionNamed(tx, template.id, name)
  if (!version) throw wrong('invalid', `The template "${template.code}" has no version "${name}".`, 'template_version')
  const why = unusable(version)
  if (why) throw wrong(why.code, why.detail, 'template_version')
  return version
}

/** Why this version cannot be assigned to a node now. */
export function unusable({ version, archived, state }: TemplateVersion): Fault | undefined {
  if (archived) return { code: 'archived', detail: `Version "${version}" is archived.` }
  if (state === 'ready') return undefined
  const why = state === 'broken' ? 'is broken: see its initialization_error' : 'is still being fetched'
  return { code: 'wrong-state', detail: `Version "${version}" ${why}.` }
}

const wrong = (code: FailureCode, detail: string, attribute: string) =>
  failure(code, detail, { source: { pointer: `/data/attributes/${attribute}` } })
