import Type from 'typebox'
import {
  type AnyCommand,
  type Context,
  command,
  done,
  type Outcome,
  type Target,
  unchanged,
} from '#platform/commands/command.ts'
import type { Json, JsonObject } from '#platform/documents/document.ts'
import { Failure, failure } from '#platform/failure.ts'
import { findNode, findNodeAt, holdUnarchived, type Node, nodePaths } from '../nodes/index.ts'
import { checkProperties } from '../properties/index.ts'
import { settingsFaults } from '../settings/index.ts'
import { createActivity, type EngineParts, insertTree, makeReady, requestCancel } from '../steps/index.ts'
import { tellUnresolved } from './approver-names.ts'
import { insertChange, noteResolved } from './change.store.ts'
import { actionPath, nameOf } from './change.ts'
import { creatorOf } from './creator.ts'
import { aboutChange, type OnChange, onChange } from './on-change.ts'
import { originOf } from './origin.ts'
import type { ChangeParts } from './parts.ts'
import { preparedAtOnce } from './prepare-at-once.ts'
import { runnerKinds, runSettings } from './run-settings.ts'

export const changeCommands = (parts: ChangeParts, engine: EngineParts): AnyCommand[] => [
  create(parts, { name: 'changes.create', paths: ['/api/changes'], anywhere: true }),
  create(parts, {
    name: 'changes.create_on_node',
    paths: nodePaths.map(path => `/api${path}/changes`),
    anywhere: false,
  }),
  cancel(engine),
]

/** What somebody may ask of a new change. */
export interface Attributes {
  readonly action: string
  readonly parent_path?: string
  readonly git_remote_name?: string
  readonly git_rev?: string
  readonly template_version?: string
  readonly metadata?: JsonObject
  readonly property_overrides?: JsonObject
  readonly settings_overrides?: JsonObject
  readonly skip_steps?: readonly string[]
  readonly starting_step?: string
  readonly run_at?: string
}

const name = (describe: string) => Type.String({ minLength: 1, maxLength: 255, description: describe })
const document = (describe: string) =>
  Type.Optional(Type.Object({}, { additionalProperties: true, description: describe }))

const attributes = {
  action: name('The action to run.'),
  git_remote_name: Type.Optional(name('Of a project or environment: where its actions come from.')),
  git_rev: Type.Optional(name('Of a project or environment: branch, tag or commit.')),
  template_version: Type.Optional(name('Of an asset: another version of its template than the one it has.')),
  metadata: document('Whatever helps to find it again.'),
  property_overrides: document('The most specific layer of its converged properties.'),
  settings_overrides: document('Settings for this change alone.'),
  skip_steps: Type.Optional(
    Type.Array(name('A glob over the full path of steps.'), { maxItems: 1_000, description: 'What to leave out.' }),
  ),
  starting_step: Type.Optional(
    Type.String({ minLength: 1, maxLength: 16_384, description: 'Full path of the step that it begins with.' }),
  ),
  run_at: Type.Optional(Type.String({ format: 'date-time', description: 'It does not start before this time.' })),
}

type OnNode = Target & { readonly node?: Node }

function create(parts: ChangeParts, where: { name: string; paths: readonly string[]; anywhere: boolean }): AnyCommand {
  return command<Attributes, OnNode>({
    name: where.name,
    summary: where.anywhere ? 'Run an action on the node that parent_path names' : 'Run an action on this node',
    method: 'POST',
    paths: where.paths,
    status: 201,
    event: 'api:changes:create',
    eventBody: [
      'action',
      'parent_path',
      'git_remote_name',
      'git_rev',
      'template_version',
      'skip_steps',
      'starting_step',
      'run_at',
    ],
    attributes: Type.Object(
      where.anywhere ? { ...attributes, parent_path: name('Path of a node: /projects/bank/assets/web.') } : attributes,
      { additionalProperties: false },
    ),
    answers: 'change',
    find: async ({ tx }, request) => {
      if (!where.anywhere) return about(await findNode(tx, request.params))
      // Without a path there is nothing to find; that it is missing is said when the body is judged.
      const path = request.attributes.parent_path
      return typeof path === 'string' ? about(await findNodeAt(tx, path)) : {}
    },
    needs: ({ node }, request) =>
      node && typeof request.attributes.action === 'string'
        ? [{ right: 'execute', path: actionPath(node.path, request.attributes.action) }]
        : [],
    refuse: ({ node }) => (node ? refusal(node) : undefined),
    run: (context, found, request) => createChange(parts, context, found.node!, request.attributes),
  })
}

const about = (node: Node | undefined): OnNode | undefined => node && { node, readPath: node.path }

function refusal(node: Node): Failure | undefined {
  if (node.node_type === 'agent') return failure('not-supported-here', 'Agents have no changes.')
  if (node.node_type === 'project' && node.project_type === 'Standard')
    return failure('not-supported-here', 'A Standard project has no changes of its own; its environments have.')
  return undefined
}

/** Who makes a change when nobody asks for it by themselves. */
export interface MadeBy {
  /** A step of an admitted run: maintenance does not hold what it makes. */
  readonly workflowStepId?: string
  /** One that came due, and the commit that it found its revision to stand for, which is kept. */
  readonly schedule?: { readonly id: string; readonly commitSha: string }
}

/**
 * Makes a change in the name of the context's actor, as their request would, and records it.
 *
 * @returns its id
 * @throws Failure as the request would be answered
 */
export async function makeChange(
  parts: ChangeParts,
  context: Context,
  node: Node,
  given: Attributes,
  by: MadeBy,
): Promise<string> {
  const path = actionPath(node.path, given.action)
  if (!context.actor.rights.may('execute', path))
    throw failure('forbidden', `${context.actor.username} may not execute ${path}.`)
  const refused = refusal(node)
  if (refused) throw refused
  const made = await createChange(parts, context, node, given, by)
  if (made.outcome !== 'done') throw new Error(`a change was not made but ${made.outcome}`)
  await context.record({ type: 'api:changes:create', actor: context.actor, ...made.event })
  return made.id!
}

/**
 * Stores the change and answers, whatever Git does meanwhile: of an asset the actions are known, and its tree is made
 * here; of a project or environment the revision is looked up afterwards, by a job, unless it is known what it stands for
 * (execution.md 1).
 */
async function createChange(
  parts: ChangeParts,
  { tx, actor, enqueue }: Context,
  node: Node,
  given: Attributes,
  by?: MadeBy,
): Promise<Outcome> {
  await holdUnarchived(tx, node)
  checkProperties(given.property_overrides ?? {}, node.path, '/data/attributes/property_overrides')
  const found = await originOf(tx, node, given)
  const origin = by?.schedule ? { ...found, commitSha: by.schedule.commitSha } : found
  const settings = await settingsOf(parts, tx, node, given.settings_overrides ?? {})
  // Everything that can be wrong is said before the change takes its place in the line of its name.
  const prepared = await preparedAtOnce(parts, tx, {
    node,
    origin,
    settings,
    action: given.action,
    createdBy: await creatorOf(tx, settings, actor),
    skipSteps: given.skip_steps ?? [],
    startingStep: given.starting_step ?? null,
  })
  const id = await createActivity(tx, {
    kind: 'change',
    nodeId: node.id,
    projectId: node.project_id,
    path: node.path,
    name: nameOf(node.path, given.action),
    createdBy: actor.username,
    userId: actor.userId,
    runAt: given.run_at ?? null,
    underWay: by?.workflowStepId !== undefined,
    workflowStepId: by?.workflowStepId ?? null,
    settings: runSettings(settings),
  })
  await insertChange(tx, parts.keyring, {
    ...origin,
    id,
    scheduledActivityId: by?.schedule?.id ?? null,
    action: given.action,
    metadata: given.metadata ?? {},
    skipSteps: given.skip_steps ?? [],
    startingStep: given.starting_step ?? null,
    propertyOverrides: given.property_overrides ?? {},
    settingsOverrides: given.settings_overrides ?? {},
    resolvedSettings: settings,
  })
  if (prepared) {
    const { commitSha, tree } = prepared
    await insertTree(tx, parts.keyring, id, tree)
    await noteResolved(tx, id, { commitSha, stepName: tree.step_name })
    await tellUnresolved(parts, tx, { id, node, createdBy: actor }, tree)
    await makeReady(tx, id)
  } else {
    await enqueue('changes.prepare', { id }, { key: `changes.prepare:${id}` })
  }
  return done({ id, event: aboutChange(id, node, given.action) })
}

async function settingsOf(
  parts: ChangeParts,
  tx: Context['tx'],
  node: Node,
  overrides: JsonObject,
): Promise<JsonObject> {
  const global = await parts.settings.global(tx)
  const listed = (key: string) => (global.data[`allowed.${key}`] ?? []) as readonly Json[]
  const [first, ...others] = settingsFaults(overrides, 'change', listed, '/data/attributes/settings_overrides')
  if (first) throw new Failure([first, ...others])
  const { data } = await parts.settings.ofNode(tx, node, { change: overrides })
  const kind = runSettings(data).runnerKind
  if (!runnerKinds.includes(kind))
    throw failure('wrong-state', `runner.kind is ${kind} here, and this release starts ${runnerKinds.join(', ')} only.`)
  return data
}

/** DELETE of a change cancels it (execution.md 4). Asked again while that is under way it changes nothing. */
const cancel = (engine: EngineParts): AnyCommand =>
  command<never, OnChange>({
    name: 'changes.cancel',
    summary: 'Cancel a change: what runs is stopped, what has not begun never does',
    method: 'DELETE',
    paths: ['/api/changes/:id'],
    status: 204,
    // api:changes:cancel is recorded at the transition, when the last running step is known to be dead.
    event: null,
    eventBody: [],
    ...onChange,
    run: async ({ tx, actor }, { change }) => {
      const answer = await requestCancel(engine, tx, change.id, actor)
      if (answer === 'final') throw failure('wrong-state', 'The change has ended; there is nothing to cancel.')
      return answer === 'already' ? unchanged() : done({ event: {} })
    },
  })
