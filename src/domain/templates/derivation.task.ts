import type { ActionCatalogue } from '#authoring/actions/action.ts'
import { fromJson } from '#json/from-json.ts'
import { theService } from '#platform/actor.ts'
import type { Keyring } from '#platform/crypto/index.ts'
import type { Queries, Tx } from '#platform/db/database.ts'
import type { JsonObject } from '#platform/documents/document.ts'
import type { Runtime } from '#platform/domain.ts'
import type { NewEvent } from '#platform/events.ts'
import { Failure } from '#platform/failure.ts'
import type { Result, StepToRun } from '#protocol/runner-protocol.ts'
import {
  catalogueEntries,
  findCatalogue,
  giveActions,
  type StoredCatalogue,
  storeDerived,
  storeDerivedFor,
} from '../action-catalogue/index.ts'
import { record } from '../events/index.ts'
import type { Git } from '../git/index.ts'
import { type BackgroundTask, derivationPool, type Ending, say, type TaskType } from '../node-tasks/index.ts'
import { eventNode, findNodeById, type Node } from '../nodes/index.ts'
import { noteCatalogue, noteInput, versionOfTask } from './derivation.store.ts'
import { type Derivation, derived, deriveSeconds } from './derivation.ts'
import { commitInForce } from './node-commit.store.ts'

export interface DerivationParts {
  readonly git: Git
  readonly keyring: Pick<Keyring, 'mac'>
  readonly enqueue: Runtime['enqueue']
  /** The converged properties of a node, with unresolved references to secrets. */
  readonly propertiesOf: (queries: Queries, node: Node) => Promise<JsonObject>
  /** The currently valid model of an asset; `none` if its template has none. */
  readonly modelOf: (
    queries: Queries,
    node: Node,
  ) => Promise<
    { readonly state: 'none' | 'invalid' } | { readonly state: 'valid'; readonly actions: () => ActionCatalogue }
  >
}

type InputParts = Pick<DerivationParts, 'keyring' | 'propertiesOf' | 'modelOf'>

/**
 * Task that derives actions. For a template version and for a change that is being prepared, its input names the
 * commit; a node's own task takes the current commit when the task begins. A program runs in a runner (docs/adr/0022);
 * declarations of a file, or an earlier result of a program, are known already.
 */
export const deriveActions = (parts: DerivationParts): TaskType => ({
  name: 'GenerateActionsRequest',
  pool: derivationPool,
  cancelEvent: 'api:generate_actions_request:cancel',
  begin: async (tx, task) => (task.about_node ? beginOfNode(parts, tx, task) : beginAtCommit(tx, task)),
  work: {
    in: 'runner',
    commit: async (_, task) => inputOf(task).key.commit,
    archive: (task, commit) => parts.git.archive(inputOf(task).key.gitRemoteId, commit),
    step: (tx, task) => messageFor(parts, tx, task),
    keep,
  },
  ended: (tx, task, ending) => ended(parts.enqueue, tx, task, ending),
})

const inputOf = ({ input }: BackgroundTask): Derivation => fromJson(input!)

/** Begins a task whose input names the commit. Another task may have derived the same commit meanwhile. */
async function beginAtCommit(tx: Tx, task: BackgroundTask): Promise<{ ended: Ending } | { input?: string }> {
  const known = await findCatalogue(tx, inputOf(task).key)
  return known && known.state !== 'needs_runner' ? { ended: await knownEnding(tx, task, known) } : {}
}

async function beginOfNode(
  parts: InputParts,
  tx: Tx,
  task: BackgroundTask,
): Promise<{ ended: Ending } | { input?: string }> {
  const now = await commitInForce(tx, task.node_id!)
  if (!now) return { ended: { status: 'error', error: 'It has no version of its template that is ready.' } }
  const shared = { gitRemoteId: now.gitRemoteId, commit: now.commit, folder: now.templateCode }
  const any = await findCatalogue(tx, shared)
  if (!any) return { ended: { status: 'error', error: `The actions of commit ${now.commit} are not at hand.` } }
  if (any.readsInput && any.sources) {
    const derivation = { key: shared, sources: any.sources, ...(any.readsCatalogue && { model: 'given' as const }) }
    return beginWithInput(parts, tx, task, derivation)
  }
  return again(task, any)
    ? { input: JSON.stringify({ key: shared, sources: any.sources }) }
    : { ended: await knownEnding(tx, task, any) }
}

async function beginWithInput(
  parts: InputParts,
  tx: Tx,
  task: BackgroundTask,
  derivation: Derivation,
): Promise<{ ended: Ending } | { input?: string }> {
  const given = await inputFor(parts, tx, task, derivation)
  if ('error' in given) return { ended: { status: 'error', error: given.error } }
  const asked = withInput(derivation, given)
  const known = await findCatalogue(tx, asked.key)
  if (!known || again(task, known)) return { input: JSON.stringify(asked) }
  await giveActions(tx, task.node_id!, known.id)
  await recordUnavailableModelEvent(tx, task, asked)
  return { ended: await knownEnding(tx, task, known) }
}

/** Whether the program runs again: a request for a refresh runs it, whatever its last result. */
const again = ({ trigger }: BackgroundTask, known: StoredCatalogue): boolean =>
  known.sources !== undefined && (known.state === 'needs_runner' || trigger === 'request')

interface Input {
  readonly properties: JsonObject
  /** Model's actions; undefined if the program does not read them. */
  readonly model: { readonly actions: readonly object[]; readonly isUnavailable: boolean } | undefined
  readonly sha: string
}

const withInput = (derivation: Derivation, { sha, model }: Input): Derivation => ({
  ...derivation,
  key: { ...derivation.key, input: sha },
  ...(model && { model: model.isUnavailable ? 'unavailable' : 'given' }),
})

/** Input of a node's task. The task's row, which is not encrypted, contains no properties, only a hash of them. */
async function inputFor(
  { keyring, propertiesOf, modelOf }: InputParts,
  tx: Tx,
  task: BackgroundTask,
  derivation: Derivation,
): Promise<Input | { readonly error: string }> {
  const node = await findNodeById(tx, task.node_id!)
  if (!node) return { error: 'Its node is gone.' }
  // With the installation's key, so that guesses at the properties cannot be checked against it.
  const shaOf = (given: unknown) => keyring.mac('input of actions', JSON.stringify(given)).toString('hex')
  try {
    const properties = await propertiesOf(tx, node)
    if (derivation.model === undefined) return { properties, model: undefined, sha: shaOf(properties) }
    const found = await modelOf(tx, node)
    const actions = found.state === 'valid' ? catalogueEntries(found.actions()) : []
    const model = { actions, isUnavailable: found.state === 'invalid' }
    return { properties, model, sha: shaOf([properties, actions]) }
  } catch (error) {
    // A broken property file.
    if (error instanceof Failure) return { error: error.message }
    throw error
  }
}

/**
 * Records that a program ran without the actions of an invalid model, so that a missing action can be explained (at
 * most once an hour).
 */
async function recordUnavailableModelEvent(tx: Tx, task: BackgroundTask, { model }: Derivation): Promise<void> {
  const node = model === 'unavailable' ? await findNodeById(tx, task.node_id!) : undefined
  if (!node) return
  await record(tx, {
    type: 'warn:model:actions_unavailable',
    actor: theService,
    source: { type: node.node_type, id: node.id },
    node: eventNode(node),
    attributes: { name: node.name },
    message: 'The asset has no model that is right: the actions file that reads the actions of its model saw none.',
  })
  await say(tx, task, 'The asset has no model that is right, so catalogue() was empty. Generate it, and refresh again.')
}

async function knownEnding(tx: Tx, task: BackgroundTask, known: StoredCatalogue): Promise<Ending> {
  await noteCatalogue(tx, task.id, known.id)
  if (known.state === 'broken') return { status: 'error', error: known.error }
  await reportCount(tx, task, known)
  return { status: 'success' }
}

async function reportCount(tx: Tx, task: BackgroundTask, known: StoredCatalogue): Promise<void> {
  if (known.state !== 'ready') return
  const { length } = known.catalogue.actions
  await say(tx, task, `It has ${length} ${length === 1 ? 'action' : 'actions'}.`)
}

async function messageFor(parts: InputParts, tx: Tx, task: BackgroundTask): Promise<StepToRun> {
  const derivation = inputOf(task)
  const { key, sources } = derivation
  const asked = key.input === undefined ? undefined : await inputFor(parts, tx, task, derivation)
  const given = asked && 'sha' in asked ? asked : undefined
  // The current input counts, in case it has changed since the task began.
  if (given && given.sha !== key.input) await noteInput(tx, task.id, JSON.stringify(withInput(derivation, given)))
  return {
    stepId: task.id,
    attempt: task.attempt,
    fence: task.fence,
    bodies: [{ action: 'the list of its actions', module: sources.program, lists: true }],
    folder: key.folder,
    timeoutSeconds: deriveSeconds,
    context: given ? { converged: given.properties, ...(given.model && { model_actions: given.model.actions }) } : {},
    files: [],
    env: {},
    secrets: [],
    // It must not send requests to the service.
    apiToken: '',
  }
}

async function keep(tx: Tx, task: BackgroundTask, result: Result): Promise<Ending> {
  const derivation = inputOf(task)
  const outcome = derived(derivation, result)
  if ('failed' in outcome) return { status: 'error', error: outcome.failed }
  const own = derivation.key.input !== undefined
  if (!own) await storeDerived(tx, derivation.key, outcome)
  if (outcome.state === 'broken') return { status: 'error', error: outcome.error }
  if (own) await storeDerivedFor(tx, derivation.key, outcome.catalogue)
  const stored = (await findCatalogue(tx, derivation.key))!
  if (own) {
    await giveActions(tx, task.node_id!, stored.id)
    await recordUnavailableModelEvent(tx, task, derivation)
  }
  await noteCatalogue(tx, task.id, stored.id)
  await reportCount(tx, task, stored)
  return { status: 'success' }
}

/** Continues the work that waited for the derivation, with an error only if no stored catalogue has it. */
async function ended(enqueue: Runtime['enqueue'], tx: Tx, task: BackgroundTask, ending: Ending): Promise<void> {
  const { key, goOn } = task.input === null ? {} : (inputOf(task) as Partial<Derivation>)
  if (goOn) {
    const stored = ending.status !== 'success' && (await findCatalogue(tx, key!))?.state === 'broken'
    const error = stored ? undefined : whyNot(task, ending)
    const how = { ...(error && { derivationError: error }), ...(ending.status === 'cancelled' && { cancelled: true }) }
    await enqueue(tx, goOn.job, { ...goOn.payload, ...how }, { key: goOn.key })
  }
  for (const event of await eventsOf(tx, task, ending)) await record(tx, event)
}

function whyNot({ cancelled_by: by }: BackgroundTask, ending: Ending): string | undefined {
  if (ending.status === 'error') return ending.error
  return ending.status === 'cancelled' ? `Deriving its actions was cancelled by ${by}.` : undefined
}

/**
 * Events of an ended task. The outcome for a version is recorded by the code that continues with it, or has cancelled
 * its refresh.
 */
async function eventsOf(tx: Tx, task: BackgroundTask, ending: Ending): Promise<NewEvent[]> {
  const node = await findNodeById(tx, task.node_id ?? task.project_id)
  if (!node) return []
  const version = await versionOfTask(tx, task.id)
  const about = { actor: theService, node: eventNode(node) }
  const ofVersion = version && {
    ...about,
    source: { type: 'template_version', id: version.id },
    attributes: { name: version.version, template_code: version.template_code },
  }
  // A change on a project or environment has a task that none of their lists shows.
  const source = task.about_node ? { type: 'node_background_task', id: task.id } : { type: node.node_type, id: node.id }
  const events: NewEvent[] = []
  if (ofVersion && task.about_node && task.cancelled_by !== null)
    events.push(
      ending.status === 'cancelled'
        ? { ...ofVersion, type: 'info:template_version:refresh_cancelled' }
        : {
            ...ofVersion,
            type: 'error:template_version:refresh_cancelled',
            attributes: { ...ofVersion.attributes, error: 'It had ended before it could be cancelled.' },
          },
    )
  if (task.node_id !== null && ending.status === 'error') {
    const attributes = { name: node.name, error: ending.error }
    events.push({ ...about, source, type: 'error:generate_actions_request:generate', attributes })
    if (task.about_node && task.trigger !== 'request')
      events.push({ ...about, source, type: 'api:action_refresh:warn', attributes })
  }
  return events
}
