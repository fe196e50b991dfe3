import type { Tx } from '#platform/db/database.ts'
import { together } from '#platform/db/pipeline.ts'
import type { JsonObject } from '#platform/documents/document.ts'
import { Failure, failure } from '#platform/failure.ts'
import { findCatalogue } from '../action-catalogue/index.ts'
import { type Git, GitFailure, readPropertyFiles } from '../git/index.ts'
import type { Node } from '../nodes/index.ts'
import type { StepDefinition } from '../steps/index.ts'
import { actionsOfChange } from './actions-of-change.tx.ts'
import { type Creator, changeTree } from './change-tree.ts'
import { type Origin, placeOf } from './origin.tx.ts'
import type { ChangeParts } from './parts.port.ts'

interface Unprepared {
  readonly node: Node
  readonly origin: Origin
  readonly settings: JsonObject
  readonly action: string
  readonly createdBy: Creator
  readonly skipSteps: readonly string[]
  /** Resolves the revision as of the last fetch of its remote, however old. */
  readonly asKnown?: boolean
  readonly startingStep: string | null
}

interface Prepared {
  readonly commitSha: string
  readonly tree: StepDefinition
}

/**
 * Prepares a change at once if everything needed from its repository is known now; otherwise undefined, and a job
 * prepares it. Waits for no remote, and starts git for plans alone.
 *
 * @throws Failure for an asset's change that cannot run. Faults of the content of a revision are reported by the job,
 *   in the record of the change: the response must not depend on what this process happens to know already
 */
export async function preparedAtOnce(
  parts: Pick<ChangeParts, 'keyring' | 'git' | 'converge' | 'model'>,
  tx: Tx,
  change: Unprepared,
): Promise<Prepared | undefined> {
  const { origin } = change
  if (origin.commitSha !== null) return preparedAt(parts, tx, change, origin.commitSha)
  const commitSha = change.asKnown ? await inMirror(parts.git, origin) : await knownOf(parts.git, tx, change)
  if (commitSha === undefined) return undefined
  try {
    return await preparedAt(parts, tx, change, commitSha)
  } catch (error) {
    if (error instanceof Failure) return undefined
    throw error
  }
}

function knownOf(git: Git, tx: Tx, { origin, settings }: Unprepared): Promise<string | undefined> {
  const seconds = Number(settings['git_remote.fetch_stale_threshold'] ?? 3)
  return git.known(tx, origin.gitRemoteId, origin.gitRev, seconds * 1_000)
}

/**
 * Resolves a revision in the mirror: the memory of this process is outdated after the next fetch, and other processes
 * remember other things.
 */
async function inMirror(git: Git, { gitRemoteId, gitRev, follows }: Origin): Promise<string | undefined> {
  try {
    return await git.resolve(gitRemoteId, follows ?? gitRev)
  } catch (error) {
    // There is no mirror yet, or it is damaged: the next fetch creates it again.
    if (error instanceof GitFailure) return undefined
    throw error
  }
}

async function preparedAt(
  parts: Pick<ChangeParts, 'keyring' | 'converge' | 'model'>,
  tx: Tx,
  { origin, node, ...change }: Unprepared,
  commitSha: string,
): Promise<Prepared | undefined> {
  const place = placeOf({ ...origin, commitSha }, change.settings)!
  const [files, stored] = await together([
    readPropertyFiles(tx, parts.keyring, place, []),
    findCatalogue(tx, place, node.id),
  ])
  if (files.state === 'unread') return undefined
  if (stored?.state === 'broken') throw failure('wrong-state', stored.error)
  if (stored?.state !== 'ready') return undefined
  const catalogue = await actionsOfChange(parts, tx, { node, action: change.action, commitSha }, stored.catalogue)
  const properties = async () => (await parts.converge(tx, node)).data
  return { commitSha, tree: await changeTree({ ...change, catalogue, properties }) }
}
