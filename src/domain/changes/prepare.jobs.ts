import type { ActionCatalogue } from '#authoring/actions/action.ts'
import { clockOf } from '#platform/db/clock.ts'
import { isPassing } from '#platform/db/connection-errors.ts'
import type { Tx } from '#platform/db/database.ts'
import type { Job, Runtime } from '#platform/domain.ts'
import { failpoint } from '#platform/failpoints.ts'
import { Failure, messageOf } from '#platform/failure.ts'
import { catalogueAt, propertyFilesAt } from '../action-catalogue/index.ts'
import { type FetchOptions, GitFailure, recordFetchFailureEvent, toFollow } from '../git/index.ts'
import { findNodeById, type Node } from '../nodes/index.ts'
import { beginTree, failPreparation, lacksTree, lockForTree, queueWithoutTree } from '../steps/for-changes.ts'
import type { Activity, LateTreeParts } from '../steps/index.ts'
import { type Derivation, deriveFor, followedBy } from '../templates/index.ts'
import { actionsOfChange } from './actions-of-change.tx.ts'
import { findChange, noteCommit, type StoredChange } from './change.store.ts'
import { resolvedSettings } from './change-context.tx.ts'
import { changeTree } from './change-tree.ts'
import { type Place, placeOf } from './origin.tx.ts'
import type { ChangeParts } from './parts.port.ts'
import { plantTree, plantUnrefreshed } from './plant-tree.tx.ts'
import { creatorWithGroups } from './run-as.tx.ts'

const prepareJobName = 'changes.prepare'
const makeTreeJobName = 'changes.make_tree'
/** Queue key of both jobs: one job per change runs at a time. */
const keyOf = (id: string) => `${prepareJobName}:${id}`

/** Job that prepares a change: queued once, however often it is requested meanwhile. */
export const toPrepare = (id: string, nodePath: string) =>
  [prepareJobName, { id }, { key: keyOf(id), nodePath }] as const

/** Finishes the preparation of a change that was admitted without a tree. */
export const makeLateTree =
  (enqueue: Runtime['enqueue']) =>
  (tx: Tx, { id, path: nodePath }: Activity): Promise<void> =>
    enqueue(tx, makeTreeJobName, { id }, { key: keyOf(id), nodePath })

interface Payload {
  readonly id: string
  readonly derivationError?: string
}

type PrepareParts = Pick<ChangeParts, 'keyring' | 'git' | 'converge' | 'model' | 'spares' | 'record'>

/**
 * Prepares a change whose commit, actions or property files were not available when it was created: fetches, resolves
 * the revision, reads the declarations of that commit and stores the tree. No user code runs here: if a program has to
 * be run, the change is queued without a tree, and the job runs again once it was admitted, and once more when the
 * program has ended. A fault of the repository, or of ours, ends the change with its message; after a temporary
 * failure, such as an unavailable database, the queue retries. Before it is admitted it may wait for a Git server, and
 * behind other jobs that do. Afterwards it has a slot, which must not wait for them: everything that it needs has been
 * read by then, and it runs beside the jobs that need no other machine.
 */
export const prepareJobs = (parts: PrepareParts, engine: LateTreeParts): Job[] => {
  const run = (payload: Payload, runtime: Runtime) => prepareOrFail({ parts, engine, runtime }, payload)
  return [
    { name: prepareJobName, outside: true, run },
    { name: makeTreeJobName, run },
  ]
}

async function prepareOrFail(given: Omit<Preparing, 'change'>, { id, derivationError }: Payload): Promise<void> {
  const { engine, runtime } = given
  const change = await findChange(runtime.database, id)
  if (!change) return
  const preparing = { ...given, change }
  const failed = derivationError === undefined ? await prepare(preparing) : { why: derivationError }
  if (failed)
    await runtime.database.transaction(async tx => {
      if (failed.notFetched) await recordFetchFailureEvent(tx, runtime, change.git_remote_id, failed.notFetched)
      const why = change.refresh_sha ? await unlessUnrefreshed(preparing, tx, failed.why) : failed.why
      if (why !== undefined) await failPreparation(engine, tx, id, why)
    })
}

interface Preparing {
  readonly parts: PrepareParts
  readonly engine: LateTreeParts
  readonly runtime: Runtime
  readonly change: StoredChange
}

/**
 * Uses the original's tree, if there was one that can run, for a retry that requested the newest commit.
 *
 * @returns why it cannot; undefined if it runs, or has ended meanwhile
 */
async function unlessUnrefreshed(
  { parts, engine, change }: Preparing,
  tx: Tx,
  why: string,
): Promise<string | undefined> {
  const activity = await lockForTree(engine, tx, change.id)
  if (!activity) return undefined
  const node = await findNodeById(tx, change.node_id)
  if (!node) return why
  try {
    if (!(await tx.savepoint(() => plantUnrefreshed(parts, tx, change, node, why)))) return why
  } catch (error) {
    // The request does not fit that tree either: for example its mask, or approvers whom the properties no longer name.
    if (!(error instanceof Failure)) throw error
    return error.message === why ? why : `${why}\nNor can what its original ran be run again: ${error.message}`
  }
  if (lacksTree(activity)) await beginTree(engine, tx, change.id)
  return undefined
}

/** Why it cannot be prepared. `notFetched`: the Git remote could not be fetched. */
interface Failed {
  readonly why: string
  readonly notFetched?: { readonly error: string; readonly output: string }
}

/**
 * Prepares a change. Undefined when it is ready, or will be prepared further once it was admitted or its actions are
 * derived.
 */
async function prepare(preparing: Preparing): Promise<Failed | undefined> {
  const { parts, runtime, change } = preparing
  try {
    const place = await resolved(parts, runtime, change)
    if ('why' in place) return place
    const catalogue = await readCommit(parts, runtime, place, change.node_id)
    if ('why' in catalogue) return catalogue
    if ('sources' in catalogue) {
      await askProgram(preparing, place, catalogue.sources)
      return undefined
    }
    const node = await findNodeById(runtime.database, change.node_id)
    if (!node) return { why: `${change.path} has been destroyed.` }
    const asked = { node, action: change.action, commitSha: place.commitSha }
    await storeTree(preparing, node, place, await actionsOfChange(parts, runtime.database, asked, catalogue))
    return undefined
  } catch (error) {
    // Stopped with the service: the job runs again at its next start.
    if (runtime.stopping.aborted) throw error
    if (error instanceof GitFailure || error instanceof Failure) return { why: error.message }
    if (isPassing(error)) throw error
    // Left to the queue it would be initializing for days, and block all changes of its name.
    runtime.log.error({ err: error, change: change.id }, 'change could not be prepared')
    return { why: `The service could not prepare it: ${messageOf(error)}` }
  }
}

async function resolved(
  { git, keyring }: Pick<ChangeParts, 'keyring' | 'git'>,
  runtime: Runtime,
  change: StoredChange,
): Promise<Place | Failed> {
  const settings = resolvedSettings(keyring, change)
  const origin = { gitRemoteId: change.git_remote_id, templateCode: change.template_code }
  if (change.commit_sha) return placeOf({ ...origin, commitSha: change.commit_sha }, settings)!
  const seconds = Number(settings['git_remote.fetch_stale_threshold'] ?? 3)
  let began: number | undefined
  const fetched = async (how: FetchOptions): Promise<Failed | undefined> => {
    try {
      const now = await clockOf(runtime.database)
      const took = await git.fetch(change.git_remote_id, { ...how, signal: runtime.stopping })
      if (took !== undefined) began = now
      return undefined
    } catch (error) {
      if (!(error instanceof GitFailure) || runtime.stopping.aborted) throw error
      return { why: error.message, notFetched: { error: error.message, output: error.output } }
    }
  }
  const follows = change.template_version_id && (await followedBy(runtime.database, change.template_version_id))
  const resolve = () => git.resolve(change.git_remote_id, follows || change.git_rev)
  // A retry that requests the newest commit does not use an earlier fetch, however recent.
  const failed = await fetched(
    change.refresh_sha ? { since: Date.parse(change.created_at) } : { freshMilliseconds: seconds * 1_000 },
  )
  if (failed) return failed
  let commitSha = await resolve()
  if (!commitSha) {
    // A copy that is recent enough may still be older than a branch that was pushed a moment ago.
    const again = await fetched({ freshMilliseconds: 0 })
    if (again) return again
    commitSha = await resolve()
  }
  if (!commitSha) return { why: `The Git remote ${change.git_remote_name} has no revision ${change.git_rev}.` }
  failpoint('fetched-before-kept')
  await runtime.database.transaction(async tx => {
    await git.keep(tx, change.git_remote_id, commitSha)
    // The version itself is updated too.
    if (follows && began !== undefined) await toFollow(runtime, tx, { gitRemoteId: change.git_remote_id, since: began })
  })
  return placeOf({ ...origin, commitSha }, settings)!
}

async function readCommit(
  parts: Pick<ChangeParts, 'keyring' | 'git'>,
  { database }: Runtime,
  place: Place,
  nodeId: string,
): Promise<ActionCatalogue | { readonly sources: Derivation['sources'] } | Failed> {
  const wrong = await propertyFilesAt(parts, database, place)
  if (wrong !== undefined) return { why: wrong }
  const stored = await catalogueAt(parts, database, place, nodeId)
  if (stored.state === 'ready') return stored.catalogue
  return stored.state === 'broken' ? { why: stored.error } : { sources: stored.sources }
}

/** Runs the program for its actions, in the slot of the change, which it has only once it is admitted. */
async function askProgram(
  { parts, engine, runtime, change }: Preparing,
  { gitRemoteId, commit, folder }: Place,
  sources: Derivation['sources'],
): Promise<void> {
  const { id } = change
  const goOn = { job: makeTreeJobName, payload: { id }, key: keyOf(id) }
  await runtime.database.transaction(async tx => {
    const activity = await lockForTree(engine, tx, id)
    if (!activity) return
    if (!lacksTree(activity)) {
      await noteCommit(tx, id, commit)
      return queueWithoutTree(tx, activity)
    }
    const asker = {
      activityId: id,
      nodeId: change.node_id,
      projectId: change.project_id,
      path: change.path,
      site: activity.site,
      createdBy: change.created_by,
      userId: change.user_id,
    }
    const runner = { options: activity.runner_options, ready: parts.spares.ready() }
    await deriveFor(tx, asker, { key: { gitRemoteId, commit, folder }, sources, goOn }, runner)
  })
}

async function storeTree(
  { parts, engine, runtime: { database }, change }: Preparing,
  node: Node,
  place: Place,
  catalogue: ActionCatalogue,
): Promise<void> {
  const settings = resolvedSettings(parts.keyring, change)
  const tree = await changeTree({
    catalogue,
    action: change.action,
    settings,
    createdBy: await creatorWithGroups(database, settings, { userId: change.user_id, username: change.created_by }),
    skipSteps: change.skip_steps,
    startingStep: change.starting_step,
    properties: async () => (await parts.converge(database, node)).data,
  })
  await database.transaction(async tx => {
    // Cancelled meanwhile, or prepared by a job that was considered dead.
    const activity = await lockForTree(engine, tx, change.id)
    if (!activity) return
    await plantTree(parts, tx, { change, node, commitSha: place.commitSha, tree })
    if (lacksTree(activity)) await beginTree(engine, tx, change.id)
    failpoint('tree-before-commit')
  })
}
