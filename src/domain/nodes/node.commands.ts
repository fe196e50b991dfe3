import Type, { type TSchema } from 'typebox'
import { type AnyCommand, type Context, command, done, type Target, unchanged } from '#platform/commands/command.ts'
import { type Domain, type Extends, extensionsOf } from '#platform/domain.ts'
import { Failure, failure, missing } from '#platform/failure.ts'
import { archiveNode, refuseInUse } from './archive-node.commands.ts'
import { findNode, findNodeAt, insertNode, isCodeTaken, lockNode, lockUnarchived, updateNode } from './node.store.ts'
import {
  codeFaults,
  codeSchema,
  collections,
  type Node,
  type NodeType,
  nameSchema,
  type ProjectType,
  parentPathOf,
  pathsOfOne,
  pathsOfType,
  refuseArchived,
  refuseChild,
} from './node.ts'
import { aboutNode, article, asRecord, type FoundNode, findOne, subject } from './node-aspects.tx.ts'

/** Commands on nodes of one type; extensions of the domains to the right are taken from `others`. */
export function nodeCommands(type: NodeType, others: readonly Domain[]): AnyCommand[] {
  const extensions = extensionsOf(others, type)
  return [create(type, extensions), update(type, extensions), archiveNode(type, others)]
}

const name = nameSchema('Display name.')
const description = Type.Union([Type.String({ maxLength: 65_536 }), Type.Null()], {
  description: 'Description; null is the empty text.',
})

interface CreateAttributes {
  readonly code: string
  readonly name: string
  readonly description?: string | null
  readonly project_type?: ProjectType
}

interface Place extends Target {
  readonly parent: Node | undefined
  readonly collectionPath: string
}

function create(type: NodeType, extensions: readonly Extends[]): AnyCommand {
  const { name: collection, under } = collections[type]
  const own = {
    code: codeSchema('Code: its segment of the path; unique among siblings, cannot be changed.'),
    name,
    description: Type.Optional(description),
    ...(type === 'project' && {
      project_type: Type.Optional(
        Type.Union([Type.Literal('Standard'), Type.Literal('Enterprise')], {
          description: 'A Standard project contains environments only. Default Enterprise.',
        }),
      ),
    }),
  }
  const added = Object.assign({}, ...extensions.map(each => each.createAttributes ?? {})) as Record<string, TSchema>
  return command<CreateAttributes, Place>({
    name: `${collection}.create`,
    summary: `Makes ${article(type)}.`,
    method: 'POST',
    paths: under.length
      ? under.flatMap(above => pathsOfType[above].map(path => `/api${path}/${collection}`))
      : [`/api/${collection}`],
    status: 201,
    event: `api:${subject(type)}:create`,
    eventBody: [...Object.keys(own), ...Object.keys(added)],
    attributes: Type.Object({ ...own, ...added }, { additionalProperties: false }),
    answers: type,
    find: async (context, { params }) => {
      if (under.length === 0) return { parent: undefined, collectionPath: `/${collection}` }
      const parent = await findNode(context.tx, params)
      return parent && { parent, readPath: parent.path, collectionPath: `${parent.path}/${collection}` }
    },
    needs: ({ collectionPath }) => [{ right: 'update', path: collectionPath }],
    refuse: ({ parent }) => parent && (refuseChild(parent, type) ?? refuseArchived({ node: parent })),
    collides: async ({ tx }, { parent, collectionPath }, { attributes: { code } }) =>
      code !== undefined && (await isCodeTaken(tx, { type, code, parent }))
        ? codeTaken(collectionPath, code)
        : undefined,
    run: async (context, { parent, collectionPath }, { attributes }) => {
      if (parent) await lockUnarchived(context.tx, parent)
      refuse(codeFaults(attributes.code))
      const node = await insertNode(
        context.tx,
        {
          type,
          code: attributes.code,
          name: attributes.name.normalize('NFC'),
          description: attributes.description ?? '',
          path: `${collectionPath}/${attributes.code}`,
          ...(type === 'project' && { projectType: attributes.project_type ?? 'Enterprise' }),
          ...(parent && { parent }),
        },
        context.actor,
      )
      if (!node) throw codeTaken(collectionPath, attributes.code)
      for (const extension of extensions) await extension.onCreate?.(context, asRecord(node), { ...attributes })
      return done({ id: node.id, event: aboutNode(node) })
    },
  })
}

const codeTaken = (collectionPath: string, code: string): Failure =>
  failure('code-taken', `The code "${code}" is taken in ${collectionPath}. Archived ones keep theirs.`, {
    source: { pointer: '/data/attributes/code' },
  })

interface UpdateAttributes {
  readonly name?: string
  readonly description?: string | null
  readonly archived?: boolean
}

function update(type: NodeType, extensions: readonly Extends[]): AnyCommand {
  const { name: collection } = collections[type]
  const own = {
    name: Type.Optional(name),
    description: Type.Optional(description),
    archived: Type.Optional(Type.Boolean({ description: 'false restores it, true archives it.' })),
  }
  const added = Object.assign({}, ...extensions.map(each => each.updateAttributes ?? {})) as Record<string, TSchema>
  return command<UpdateAttributes, FoundNode>({
    name: `${collection}.update`,
    summary: `Changes, archives or restores ${article(type)}.`,
    method: 'PATCH',
    paths: pathsOfOne(type).map(path => `/api${path}`),
    status: 200,
    event: `api:${subject(type)}:update`,
    eventBody: [...Object.keys(own), ...Object.keys(added)],
    attributes: Type.Object({ ...own, ...added }, { additionalProperties: false }),
    answers: type,
    find: findOne(type),
    needs: ({ path }) => [{ right: 'update', path }],
    refuse: (node, { attributes }) => refusedAsArchived(node, attributes),
    collides: async (context, node, { attributes: { archived } }) => {
      if (node.archived && archived === false) await lockParent(context, node)
      if (!node.archived && archived === true) await refuseInUse(context, node, extensions)
      return undefined
    },
    // The node may have been archived meanwhile: it is checked again under the lock.
    run: async (context, node, { attributes }) => {
      const now = await lockNode(context.tx, node.id)
      if (!now) throw missing()
      context.requireMatch(now.row_version)
      const refusal = refusedAsArchived({ ...node, archived: now.archived }, attributes)
      if (refusal) throw refusal
      if (now.archived && attributes.archived === false) await lockParent(context, node)
      if (!now.archived && attributes.archived === true) await refuseInUse(context, node, extensions)
      let changed = differs(now, attributes)
      for (const extension of extensions)
        changed = (await extension.onUpdate?.(context, asRecord(node), { ...attributes })) || changed
      if (!changed) return unchanged(node.id)
      const name = attributes.name?.normalize('NFC') ?? now.name
      await updateNode(context.tx, node.id, { ...attributes, name })
      return done({ id: node.id, event: aboutNode({ ...node, name }) })
    },
  })
}

/** Refusal of an update of an archived node, except to restore it; archiving it again is not a change. */
function refusedAsArchived({ archived, path }: Node, attributes: UpdateAttributes): Failure | undefined {
  if (!archived || attributes.archived === false) return undefined
  if (attributes.archived === true && Object.keys(attributes).length === 1) return undefined
  return failure('archived', `${path} is archived: restore it first, with "archived": false.`)
}

async function lockParent(context: Context, node: Node): Promise<void> {
  if (node.parent_id === null) return
  const parent = await findNodeAt(context.tx, parentPathOf(node.path))
  if (!parent) throw missing()
  await lockUnarchived(context.tx, parent)
}

function differs(now: { archived: boolean; name: string; description: string }, wanted: UpdateAttributes): boolean {
  return (
    (wanted.name !== undefined && wanted.name.normalize('NFC') !== now.name) ||
    (wanted.description !== undefined && (wanted.description ?? '') !== now.description) ||
    (wanted.archived !== undefined && wanted.archived !== now.archived)
  )
}

function refuse(faults: ReturnType<typeof codeFaults>): void {
  const [first, ...others] = faults
  if (first) throw new Failure([first, ...others])
}
