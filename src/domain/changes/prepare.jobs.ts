import { isPassing } from '#platform/db/away.ts'
import type { Tx } from '#platform/db/database.ts'
import type { Around, Job } from '#platform/domain.ts'
import { reached } from '#platform/failpoints.ts'
import { Failure, messageOf } from '#platform/failure.ts'
import { GitFailure, tellFetchFailure } from '../git/index.ts'
import { findNodeById, type Node } from '../nodes/index.ts'
import {
  type Activity,
  awaitDerivation,
  type EngineParts,
  failPreparation,
  isUnprepared,
  lockActivity,
} from '../steps/index.ts'
import {
  type ActionCatalogue,
  askForDerivation,
  catalogueAt,
  type Derivation,
  propertyFilesAt,
} from '../templates/index.ts'
import { actionsOfChange } from './actions-of-change.ts'
import { findChange, noteCommit, type StoredChange } from './change.store.ts'
import { resolvedSettings } from './change-context.ts'
import { changeTree } from './change-tree.ts'
import { creatorOf } from './creator.ts'
import { type Place, placeOf } from './origin.ts'
import type { ChangeParts } from './parts.ts'
import { plantTree, plantUnrefreshed } from './plant-tree.ts'

const prepareJobName = 'changes.prepare'

/**
 * Prepares a change whose commit, actions or property files were not at hand when it was made: fetches, resolves the
 * revision, reads what is declared at that commit and stores the tree. Nothing of a user's runs here.
 * What is wrong with the repository, or is a fault of ours, ends the change with that; what may pass, as a database that is
 * away, lets the queue try again.
 */
export const prepareJob = (parts: ChangeParts, engine: EngineParts): Job => ({
  name: prepareJobName,
  outside: true,
  run: async ({ id, derivationError }: { id: string; derivationError?: string }, around) => {
    const change = await findChange(around.database, id)
    if (!change) return
    const failed = derivationError === undefined ? await prepare(parts, around, change) : { why: derivationError }
    if (failed)
      await around.database.transaction(async tx => {
        if (failed.notFetched) await tellFetchFailure(tx, around, change.git_remote_id, failed.notFetched)
        if (change.refresh_sha && (await runsUnrefreshed(parts, tx, change, failed.why))) return
        await failPreparation(engine, tx, id, failed.why)
      })
  },
})

/** Of a retry that asked for the newest commit: its original's tree, where there was one. */
async function runsUnrefreshed(parts: ChangeParts, tx: Tx, change: StoredChange, why: string): Promise<boolean> {
  if (!(await unprepared(tx, change))) return true
  const node = await findNodeById(tx, change.node_id)
  return node !== undefined && (await plantUnrefreshed(parts, tx, change, node, why)) !== undefined
}

/** The activity of a change, locked; undefined once it is prepared or has ended. */
async function unprepared(tx: Tx, { id }: StoredChange): Promise<Activity | undefined> {
  const activity = await lockActivity(tx, id)
  return activity && isUnprepared(activity) ? activity : undefined
}

/** Why it cannot be. `notFetched`: it is the Git remote that could not be fetched. */
interface Failed {
  readonly why: string
  readonly notFetched?: { readonly error: string; readonly output: string }
}

/** Undefined when it is ready, or will be prepared once its actions are derived. */
async function prepare(parts: ChangeParts, around: Around, change: StoredChange): Promise<Failed | undefined> {
  try {
    const place = await resolved(parts, around, change)
    if ('why' in place) return place
    const catalogue = await readCommit(parts, around, place, change.node_id)
    if ('why' in catalogue) return catalogue
    if ('sources' in catalogue) {
      await askProgram(around, change, place, catalogue.sources)
      return undefined
    }
    const node = await findNodeById(around.database, change.node_id)
    if (!node) return { why: `${change.path} has been destroyed.` }
    const asked = { node, action: change.action, commitSha: place.commitSha }
    await storeTree(
      parts,
      around,
      { ...change, node },
      place,
      await actionsOfChange(parts, around.database, asked, catalogue),
    )
    return undefined
  } catch (error) {
    // Stopped with the service: the job is worked again at its next start.
    if (around.stopping.aborted) throw error
    if (error instanceof GitFailure || error instanceof Failure) return { why: error.message }
    if (isPassing(error)) throw error
    // Left to the queue it would be initializing for days, and whatever has its name would wait for it.
    around.log.error({ err: error, change: change.id }, 'a change could not be prepared')
    return { why: `The service could not prepare it: ${messageOf(error)}` }
  }
}

async function resolved({ git, ...parts }: ChangeParts, around: Around, change: StoredChange): Promise<Place | Failed> {
  const settings = resolvedSettings(parts, change)
  const origin = { gitRemoteId: change.git_remote_id, templateCode: change.template_code }
  if (change.commit_sha) return placeOf({ ...origin, commitSha: change.commit_sha }, settings)!
  const seconds = Number(settings['git_remote.fetch_stale_threshold'] ?? 3)
  const fetched = async (freshMilliseconds: number): Promise<Failed | undefined> => {
    try {
      await git.fetch(change.git_remote_id, { freshMilliseconds, signal: around.stopping })
      return undefined
    } catch (error) {
      if (!(error instanceof GitFailure) || around.stopping.aborted) throw error
      return { why: error.message, notFetched: { error: error.message, output: error.output } }
    }
  }
  const resolve = () => git.resolve(change.git_remote_id, change.git_rev)
  const failed = await fetched(seconds * 1_000)
  if (failed) return failed
  let commitSha = await resolve()
  if (!commitSha) {
    // A copy that is fresh enough may yet be older than a branch that was pushed a moment ago.
    const again = await fetched(0)
    if (again) return again
    commitSha = await resolve()
  }
  if (!commitSha) return { why: `The Git remote ${change.git_remote_name} has no revision ${change.git_rev}.` }
  reached('fetched-before-kept')
  await around.database.transaction(tx => git.keep(tx, change.git_remote_id, commitSha))
  return placeOf({ ...origin, commitSha }, settings)!
}

async function readCommit(
  parts: ChangeParts,
  { database }: Around,
  place: Place,
  nodeId: string,
): Promise<ActionCatalogue | { readonly sources: Derivation['sources'] } | Failed> {
  const wrong = await propertyFilesAt(parts, database, place)
  if (wrong !== undefined) return { why: wrong }
  const stored = await catalogueAt(parts, database, place, nodeId)
  if (stored.state === 'ready') return stored.catalogue
  return stored.state === 'broken' ? { why: stored.error } : { sources: stored.sources }
}

/** Its actions are a program's: a background task has it asked in a runner, and this job is run again after that. */
async function askProgram(
  { database }: Around,
  change: StoredChange,
  place: Place,
  sources: Derivation['sources'],
): Promise<void> {
  const { gitRemoteId, commit, folder } = place
  const asker = {
    nodeId: change.node_id,
    projectId: change.project_id,
    path: change.path,
    createdBy: change.created_by,
    userId: change.user_id,
  }
  const goOn = { job: prepareJobName, payload: { id: change.id }, key: `${prepareJobName}:${change.id}` }
  await database.transaction(async tx => {
    const activity = await unprepared(tx, change)
    if (!activity) return
    await noteCommit(tx, change.id, commit)
    await awaitDerivation(tx, activity)
    const underWay = activity.workflow_step_id !== null
    await askForDerivation(tx, { ...asker, underWay }, { key: { gitRemoteId, commit, folder }, sources, goOn })
  })
}

async function storeTree(
  parts: ChangeParts,
  { database }: Around,
  { node, ...change }: StoredChange & { readonly node: Node },
  place: Place,
  catalogue: ActionCatalogue,
): Promise<void> {
  const settings = resolvedSettings(parts, change)
  const tree = await changeTree({
    catalogue,
    action: change.action,
    settings,
    createdBy: await creatorOf(database, settings, { userId: change.user_id, username: change.created_by }),
    skipSteps: change.skip_steps,
    startingStep: change.starting_step,
    properties: async () => (await parts.converge(database, node)).data,
  })
  await database.transaction(async tx => {
    // Cancelled meanwhile, or prepared by a job that was taken for dead.
    if (!(await unprepared(tx, change))) return
    await plantTree(parts, tx, { change, node, commitSha: place.commitSha, tree })
    reached('tree-before-commit')
  })
}
