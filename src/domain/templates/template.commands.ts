import Type from 'typebox'
import {
  type AnyCommand,
  type Context,
  command,
  done,
  type Request,
  type Target,
  unchanged,
} from '#platform/commands/command.ts'
import { type Domain, extensionsOf } from '#platform/domain.ts'
import { Failure, failure } from '#platform/failure.ts'
import { remoteByName, type StoredRemote } from '../git/index.ts'
import {
  blockersShownTo,
  capabilitiesOf,
  codeFaults,
  codeSchema,
  eventNode,
  findNode,
  lockUnarchived,
  type Node,
  nameSchema,
  refuseArchived,
} from '../nodes/index.ts'
import {
  deleteHistories,
  deleteTasks,
  deleteTemplate,
  insertTemplate,
  isCodeTaken,
  lockTemplate,
  lockVersions,
  nodesThatHad,
  nodesUsing,
  type Template,
  updateTemplate,
} from './template.store.ts'

interface Attributes {
  readonly code: string
  readonly name: string
  readonly description?: string | null
  readonly template_type: 'asset' | 'agent'
  readonly git_remote_name: string
}

interface Changes {
  readonly name?: string
  readonly description?: string | null
  readonly git_remote_name?: string
  readonly archived?: boolean
  readonly disabled?: boolean
}

export interface FoundTemplate extends Target {
  readonly node: Node
  readonly template: Template
}

const name = nameSchema('Display name.')
const description = Type.Union([Type.String({ maxLength: 65_536 }), Type.Null()], { description: 'Description.' })
const gitRemoteName = Type.String({ minLength: 1, maxLength: 255, description: 'Git remote of its versions.' })

const list = '/api/projects/:project_code/templates'
export const templatePath = `${list}/:template_id`

/** @param others data of other domains about templates and their versions: documents, references */
export const templateCommands = (others: readonly Domain[]): readonly AnyCommand[] => [
  create(others),
  update(),
  destroy(others),
]

const create = (others: readonly Domain[]): AnyCommand =>
  command<Attributes, Target & { node: Node }>({
    name: 'templates.create',
    summary: 'Creates a template.',
    method: 'POST',
    paths: [list],
    status: 201,
    event: 'api:templates:create',
    eventBody: ['code', 'name', 'description', 'template_type', 'git_remote_name'],
    attributes: Type.Object(
      {
        code: codeSchema('Folder in the repository; cannot be changed.'),
        name,
        description: Type.Optional(description),
        template_type: Type.Enum(['asset', 'agent'], {
          description: 'Type of nodes created from it; cannot be changed.',
        }),
        git_remote_name: gitRemoteName,
      },
      { additionalProperties: false },
    ),
    answers: 'template',
    find: async ({ tx }, { params }) => {
      const node = await findNode(tx, params)
      return node && { node, readPath: node.path }
    },
    needs: ({ node }) => [{ right: 'update', path: `${node.path}/templates` }],
    refuse: ({ node }) =>
      capabilitiesOf(node).can_have_templates
        ? refuseArchived({ node })
        : failure('not-supported-here', `${node.path} cannot hold templates: it is a ${node.project_type} project.`),
    collides: async ({ tx }, { node }, { attributes: { code } }) =>
      code !== undefined && (await isCodeTaken(tx, node.id, code)) ? codeTaken(node, code) : undefined,
    run: async (context, { node }, { attributes }) => {
      const { tx, actor } = context
      await lockUnarchived(tx, node)
      const { code } = attributes
      // Before its remote is looked up: 409 goes before 422.
      if (await isCodeTaken(tx, node.id, code)) throw codeTaken(node, code)
      const [fault, ...more] = codeFaults(code)
      if (fault) throw new Failure([fault, ...more])
      const remote = await usableRemote(context, node, attributes.git_remote_name)
      const path = `${node.path}/templates/${code}`
      const made = await insertTemplate(tx, node, { ...attributes, path, code, gitRemoteId: remote.id }, actor)
      if (!made) throw codeTaken(node, code)
      const record = { id: made.id, type: 'template', projectId: node.id, path, code, createdAt: made.created_at }
      for (const { onCreate } of extensionsOf(others, 'template')) await onCreate?.(context, record, { ...attributes })
      return done({ id: made.id, event: about({ id: made.id, name: attributes.name }, node) })
    },
  })

const codeTaken = ({ path }: Node, code: string): Failure =>
  failure('code-taken', `The code "${code}" is taken in ${path}/templates.`, {
    source: { pointer: '/data/attributes/code' },
  })

const update = (): AnyCommand =>
  command<Changes, FoundTemplate>({
    name: 'templates.update',
    summary: 'Updates, archives or restores a template.',
    method: 'PATCH',
    paths: [templatePath],
    status: 200,
    event: 'api:templates:update',
    eventBody: ['name', 'description', 'git_remote_name', 'archived', 'disabled'],
    attributes: Type.Object(
      {
        name: Type.Optional(name),
        description: Type.Optional(description),
        git_remote_name: Type.Optional(gitRemoteName),
        archived: Type.Optional(Type.Boolean({ description: 'true archives it, false restores it.' })),
        disabled: Type.Optional(Type.Boolean({ description: 'true: it accepts no new nodes and no new versions.' })),
      },
      { additionalProperties: false },
    ),
    answers: 'template',
    find: findTemplate,
    needs: ({ template }) => [{ right: 'update', path: template.path }],
    refuse: refuseArchived,
    run: async (context, { node, template }, { attributes }) => {
      const { tx } = context
      await lockUnarchived(tx, node)
      const { git_remote_name, ...plain } = attributes
      const remote = git_remote_name === undefined ? undefined : await usableRemote(context, node, git_remote_name)
      if (remote && remote.id !== template.git_remote_id) {
        const uses = await nodesUsing(tx, template.id)
        if (uses.length > 0)
          throw failure('in-use', 'Its Git remote cannot change while a version of it is in use.', {
            meta: blockersShownTo(context.actor.rights, uses),
          })
      }
      const wanted = { ...template, ...plain, name: attributes.name?.normalize('NFC') ?? template.name }
      const changed = await updateTemplate(tx, template.id, {
        ...wanted,
        git_remote_id: remote?.id ?? template.git_remote_id,
      })
      return changed ? done({ id: template.id, event: about(wanted, node) }) : unchanged(template.id)
    },
  })

const destroy = (others: readonly Domain[]): AnyCommand =>
  command<never, FoundTemplate>({
    name: 'templates.delete',
    summary: 'Deletes an unused template.',
    method: 'DELETE',
    paths: [templatePath],
    status: 204,
    event: 'api:templates:destroy',
    eventBody: [],
    find: findTemplate,
    needs: ({ template }) => [{ right: 'delete', path: template.path }],
    run: async (context, { node, template }) => {
      const { tx } = context
      const versions = await lockVersions(tx, template.id)
      const uses = await nodesThatHad(tx, template.id)
      for (const { inUse } of extensionsOf(others, 'template'))
        if (inUse) uses.push(...(await tx.rows(inUse([template.id]))))
      if (uses.length > 0)
        throw failure('in-use', `The template "${template.code}" is in use; archive it instead.`, {
          meta: blockersShownTo(context.actor.rights, uses),
        })
      const ids = versions.map(({ id }) => id)
      await deleteTasks(tx, ids)
      if (ids.length > 0)
        for (const { onDestroy } of extensionsOf(others, 'template_version')) await onDestroy?.(context, ids)
      await deleteHistories(tx, ids)
      for (const { onDestroy } of extensionsOf(others, 'template')) await onDestroy?.(context, [template.id])
      await deleteTemplate(tx, template.id)
      for (const { id, version } of versions)
        await context.record({
          type: 'api:template_versions:destroy',
          actor: context.actor,
          source: { type: 'template_version', id },
          node: eventNode(node),
          attributes: { name: version, template_code: template.code },
        })
      return done({ event: about(template, node) })
    },
  })

export async function findTemplate({ tx }: Context, { params }: Request<unknown>): Promise<FoundTemplate | undefined> {
  const node = await findNode(tx, { project_code: params['project_code'] ?? '' })
  const template = node && (await lockTemplate(tx, params))
  return node && template && { node, template, readPath: template.path, rowVersion: template.row_version }
}

/** Remote of that name; one that the caller may not read is treated as missing. */
async function usableRemote({ tx, actor }: Context, node: Node, remoteName: string): Promise<StoredRemote> {
  const source = { pointer: '/data/attributes/git_remote_name' }
  const remote = await remoteByName(tx, node.project_id, remoteName)
  if (!remote || !actor.rights.may('read', remote.path))
    throw failure('invalid', `There is no Git remote "${remoteName}" in ${node.path}.`, { source })
  if (remote.archived) throw failure('archived', `The Git remote "${remote.name}" is archived.`, { source })
  return remote
}

const about = ({ id, name }: { id: string; name: string }, node: Node) => ({
  source: { type: 'template', id },
  node: eventNode(node),
  attributes: { name },
})
