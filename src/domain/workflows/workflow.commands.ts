import Type from 'typebox'
import type { Actor, Need } from '#platform/actor.ts'
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
import { notOfSteps } from '../users/index.ts'
import { publishVersion } from './publish-version.tx.ts'
import {
  archiveOrDelete,
  insertDraft,
  insertWorkflow,
  isCodeTaken,
  lockAgainstUse,
  lockWorkflow,
  type StoredWorkflow,
  updateWorkflow,
  workflowsThatRun,
} from './workflow.store.ts'
import { bodyLimit, sourceSchema, toReadProperties } from './workflow-source.ts'
import { type WriteParts, writeVersion } from './write-version.tx.ts'

export interface WorkflowParts extends WriteParts {
  /** Domains to the right, whose records use a workflow. */
  readonly others: readonly Domain[]
}

interface Attributes {
  readonly code: string
  readonly name: string
  readonly description?: string | null
  readonly source_yaml: string
  readonly draft?: boolean
}

interface Changes extends Partial<Omit<Attributes, 'code'>> {
  readonly archived?: boolean
}

export interface FoundWorkflow extends Target {
  readonly node: Node
  readonly workflow: StoredWorkflow
}

const name = nameSchema('Display name.')
const description = Type.Union([Type.String({ maxLength: 65_536 }), Type.Null()], { description: 'Description.' })
const draft = Type.Boolean({ description: 'false publishes it at once, if it has no errors.' })

const workflowList = '/api/projects/:project_code/workflows'
export const workflowPath = `${workflowList}/:workflow_code`

export const workflowCommands = (parts: WorkflowParts): readonly AnyCommand[] => [
  create(parts),
  update(parts),
  destroy(parts.others),
]

const create = (parts: WriteParts): AnyCommand =>
  command<Attributes, Target & { node: Node }>({
    name: 'workflows.create',
    summary: 'Creates a workflow; its first version is a draft or published.',
    method: 'POST',
    paths: [workflowList],
    status: 201,
    event: 'api:workflows:create',
    eventBody: ['code', 'name', 'description', 'draft'],
    attributes: Type.Object(
      {
        code: codeSchema('Code in paths; cannot be changed.'),
        name,
        description: Type.Optional(description),
        source_yaml: sourceSchema,
        draft: Type.Optional(draft),
      },
      { additionalProperties: false },
    ),
    bodyLimit,
    answers: 'workflow',
    find: async ({ tx }, { params }) => {
      const node = await findNode(tx, params)
      return node && { node, readPath: node.path }
    },
    needs: ({ node }, { attributes }, actor) => [
      ...(attributes.draft === false ? [] : notDraftsOfSteps(actor)),
      { right: 'update', path: `${node.path}/workflows` },
      ...(attributes.draft === false ? toReadProperties(node, attributes.source_yaml) : []),
    ],
    refuse: ({ node }) =>
      capabilitiesOf(node).can_have_workflows
        ? refuseArchived({ node })
        : failure('not-supported-here', `${node.path} cannot hold workflows: it is a ${node.project_type} project.`),
    collides: async ({ tx }, { node }, { attributes: { code } }) =>
      code !== undefined && (await isCodeTaken(tx, node.id, code)) ? codeTaken(node, code) : undefined,
    run: async (context, { node }, { attributes }) => {
      const { tx, actor } = context
      await lockUnarchived(tx, node)
      const { code } = attributes
      // Before its source is checked: 409 goes before 422.
      if (await isCodeTaken(tx, node.id, code)) throw codeTaken(node, code)
      const [fault, ...more] = codeFaults(code)
      if (fault) throw new Failure([fault, ...more])
      const written = await parts.readSource(attributes.source_yaml, actor)
      const content = { code, name: attributes.name.normalize('NFC'), description: attributes.description ?? null }
      const made = await insertWorkflow(tx, node, content, actor)
      if (!made) throw codeTaken(node, code)
      const versionId = await insertDraft(parts.keyring, tx, made, { ...written, version: 1 }, actor)
      if (attributes.draft === false)
        await publishVersion(parts, context, { node, workflow: made, versionId, version: 1, parsed: written.parsed })
      return done({ id: made.id, event: about(made, node) })
    },
  })

const codeTaken = ({ path }: Node, code: string): Failure =>
  failure('code-taken', `The code "${code}" is taken in ${path}/workflows.`, {
    source: { pointer: '/data/attributes/code' },
  })

const update = (parts: WorkflowParts): AnyCommand =>
  command<Changes, FoundWorkflow>({
    name: 'workflows.update',
    summary: 'Updates, archives or restores a workflow; a source is written to its newest draft, or to a new one.',
    method: 'PATCH',
    paths: [workflowPath],
    status: 200,
    event: 'api:workflows:update',
    eventBody: ['name', 'description', 'draft', 'archived'],
    attributes: Type.Object(
      {
        name: Type.Optional(name),
        description: Type.Optional(description),
        source_yaml: Type.Optional(sourceSchema),
        draft: Type.Optional(draft),
        archived: Type.Optional(Type.Boolean({ description: 'true archives it, false restores it.' })),
      },
      { additionalProperties: false },
    ),
    bodyLimit,
    answers: 'workflow',
    find: findWorkflow,
    needs: ({ node, workflow }, { attributes }, actor) => [
      ...(attributes.draft === false || attributes.source_yaml === undefined ? [] : notDraftsOfSteps(actor)),
      { right: 'update', path: workflow.path },
      ...(attributes.draft === false ? toReadProperties(node, attributes.source_yaml) : []),
    ],
    refuse: ({ node, workflow }, { attributes }) =>
      refuseArchived({ node }) ?? (attributes.archived === false ? undefined : archivedFailure(workflow)),
    run: async (context, { node, workflow }, { attributes }) => {
      const { tx } = context
      await lockUnarchived(tx, node)
      if (attributes.archived === true) await refuseInUse(parts.others, context, workflow)
      const { source_yaml: _, draft: __, ...plain } = attributes
      const wanted = { ...workflow, ...plain, name: attributes.name?.normalize('NFC') ?? workflow.name }
      const versions = await writeVersion(parts, context, { node, workflow }, attributes)
      const changed = await updateWorkflow(tx, workflow.id, wanted, versions)
      return changed ? done({ id: workflow.id, event: about(wanted, node) }) : unchanged(workflow.id)
    },
  })

const destroy = (others: readonly Domain[]): AnyCommand =>
  command<never, FoundWorkflow>({
    name: 'workflows.delete',
    summary: 'Deletes a workflow that was never run; one that was run can be archived.',
    method: 'DELETE',
    paths: [workflowPath],
    status: 204,
    event: 'api:workflows:destroy',
    eventBody: [],
    find: findWorkflow,
    needs: ({ workflow }) => [{ right: 'delete', path: workflow.path }],
    run: async (context, { node, workflow }) => {
      const { tx } = context
      await lockUnarchived(tx, node)
      if (workflow.archived && workflow.ever_run) return unchanged()
      await refuseInUse(others, context, workflow)
      // A run may have been created during the wait for the last ones.
      const archived = await archiveOrDelete(tx, workflow.id)
      const event = about(workflow, node)
      return done({ event: { ...event, attributes: { ...event.attributes, archived } } })
    },
  })

/**
 * Refuses while another workflow runs it, a run of it is in progress, or a schedule will create one. Waits for
 * transactions that are about to run it, or to refer to it, so that their result is seen.
 */
async function refuseInUse(others: readonly Domain[], { tx, actor }: Context, workflow: StoredWorkflow): Promise<void> {
  await lockAgainstUse(tx, workflow.id)
  const uses = await workflowsThatRun(tx, workflow.project_id, workflow.code)
  for (const { inUse } of extensionsOf(others, 'workflow'))
    if (inUse) uses.push(...(await tx.rows(inUse([workflow.id]))))
  if (uses.length > 0)
    throw failure('in-use', `The workflow "${workflow.code}" is in use.`, { meta: blockersShownTo(actor.rights, uses) })
}

/**
 * Refuses to publish drafts by steps: a user who publishes a draft is responsible for it, with rights that the step
 * does not have.
 */
export const notDraftsOfSteps = (actor: Actor): readonly Need[] =>
  notOfSteps(actor, 'write a draft', 'publish the version at once, with draft: false on the workflow')

/** Finds a workflow and locks it against every other change of it. */
export async function findWorkflow({ tx }: Context, { params }: Request<unknown>): Promise<FoundWorkflow | undefined> {
  const node = await findNode(tx, { project_code: params['project_code']! })
  const workflow = node && (await lockWorkflow(tx, params))
  return node && workflow && { node, workflow, readPath: workflow.path, rowVersion: workflow.row_version }
}

export const archivedFailure = (workflow: StoredWorkflow): Failure | undefined =>
  workflow.archived ? failure('archived', `The workflow "${workflow.code}" is archived: restore it first.`) : undefined

const about = ({ id, name, code }: Pick<StoredWorkflow, 'id' | 'name' | 'code'>, node: Node) => ({
  source: { type: 'workflow', id },
  node: eventNode(node),
  attributes: { name, workflow_code: code },
})
