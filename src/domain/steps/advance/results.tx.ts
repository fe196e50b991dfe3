import type { Tx } from '#platform/db/database.ts'
import type { Sql } from '#platform/db/sql.ts'
import { failpoint } from '#platform/failpoints.ts'
import { storable } from '#platform/stored-text.ts'
import type { Result } from '#protocol/runner-protocol.ts'
import { addToLog } from '../../logs/index.ts'
import type { AdvanceParts, ClaimedStep, Claimer, EngineParts } from '../engine.port.ts'
import type { BodyOutcome, Happened } from '../rules/next-moves.ts'
import { type Activity, lockActivity } from '../store/activity.store.ts'
import { type Neighbourhood, neighbourhoodOf, type StoredStep } from '../store/neighbourhood.store.ts'
import { addChildren, storeOutputs } from '../store/step-tree.store.ts'
import { advance, carryOut } from './advance.tx.ts'
import { claimChanges, claimOwn, queuedBehind } from './claim.store.ts'
import { canRunSteps, type Report, room } from './decided-changes.ts'

type StoreResultParts = Pick<EngineParts, 'keyring' | 'storeResult'>
export type ResultParts = AdvanceParts & StoreResultParts

/**
 * Verdict on a result. applied: now. repeated: it was applied before, and is acknowledged again. stale: refused,
 * because that attempt is over.
 */
export type Verdict = 'applied' | 'repeated' | 'stale'

/**
 * Queued steps of an activity for its runner, under new fences; at most as many as its settings let run at once. If
 * each step has its own runner, the one that this is for.
 */
export async function claimQueuedSteps(
  parts: AdvanceParts,
  tx: Tx,
  claim: Claimer & { activityId: string },
): Promise<ClaimedStep[]> {
  const activity = await lockActivity(tx, claim.activityId)
  if (!activity || !canRunSteps(activity) || activity.n_queued === 0) return []
  const changes = activity.per_step
    ? await claimOwn(tx, activity, claim)
    : await claimChanges(tx, activity, { ...claim, limit: room(activity, claim) })
  if (changes.length === 0) return []
  const { claimed } = await carryOut(parts, tx, activity, changes, [])
  failpoint('claim-before-commit')
  return claimed
}

/**
 * Applies the results of attempts of one activity, at most 100 at once, in one transaction, which also advances the
 * activity and gives the steps that become queued to the same runner. The verdicts are in the order of the results.
 */
export async function applyResults(
  parts: ResultParts,
  tx: Tx,
  given: {
    activityId: string
    results: readonly Result[]
    claimer?: Claimer
    read?: ReturnType<typeof readForResults>
  },
): Promise<{ verdicts: Verdict[]; claimed: ClaimedStep[] }> {
  const read = await (given.read ?? readForResults(tx, given))
  const { activity, ids } = read
  let { known } = read
  if (!activity) return { verdicts: given.results.map(() => 'stale'), claimed: [] }
  const seen = new Set<string>()
  const verdicts = given.results.map(result => {
    const verdict = seen.has(result.stepId) ? 'repeated' : verdictOn(known.steps.get(result.stepId), result)
    if (verdict === 'applied') seen.add(result.stepId)
    return verdict
  })
  const fresh = given.results.filter((_, at) => verdicts[at] === 'applied')
  if (fresh.length === 0) return { verdicts, claimed: [] }
  const kept = await storeAll(parts, tx, activity, known, fresh)
  if (kept.treeChanged) known = await neighbourhoodOf(tx, activity.id, ids)
  const { claimed } = await advance(parts, tx, activity, known, kept.happened, {
    reports: kept.reports,
    ...(given.claimer && { claimer: given.claimer }),
  })
  return { verdicts, claimed }
}

/**
 * Locks the activity and reads the steps of its results and the queued steps, all statements sent at once: the others
 * wait in PostgreSQL for the first, and see the state after it. Called before `applyResults` by callers with further
 * queries in the same round trip, or with `beside` in the same statement.
 */
export async function readForResults(
  tx: Tx,
  { activityId, results, beside }: { activityId: string; results: readonly Result[]; beside?: Sql<string> | undefined },
): Promise<{ activity: Activity | undefined; known: Neighbourhood; ids: readonly string[] }> {
  const ids = [...new Set(results.map(result => result.stepId))]
  const [activity, known, queued] = await Promise.all([
    lockActivity(tx, activityId),
    neighbourhoodOf(tx, activityId, ids, beside),
    queuedBehind(tx, activityId, ids.length),
  ])
  return { activity, known: { ...known, queued }, ids }
}

export function verdictOn(step: StoredStep | undefined, result: Result): Verdict {
  if (!step || step.fence !== result.fence) return 'stale'
  if (step.status === 'running' && step.body === 'open') return 'applied'
  return step.result_seq >= result.seq ? 'repeated' : 'stale'
}

async function storeAll(
  parts: StoreResultParts,
  tx: Tx,
  activity: Activity,
  known: Neighbourhood,
  results: readonly Result[],
): Promise<{ happened: Happened[]; reports: Map<string, Report>; treeChanged: boolean }> {
  const happened: Happened[] = []
  const reports = new Map<string, Report>()
  let treeChanged = false
  for (const result of results) {
    const kept = bringsSomething(result)
      ? await store(parts, tx, activity, known.steps.get(result.stepId)!, result)
      : { treeChanged: false }
    treeChanged ||= kept.treeChanged
    const outcome = kept.conflict === undefined ? outcomeOf(result, activity) : 'failed'
    const message = kept.conflict ?? result.errorMessage
    if (kept.conflict !== undefined)
      await addToLog(tx, { activityId: activity.id, attempt: result, message: kept.log ?? kept.conflict })
    happened.push({ what: 'body', id: result.stepId, outcome })
    reports.set(result.stepId, {
      ...reportOf(result, message),
      ...(outcome === 'failed' && { failure: 'error:step:action' as const }),
    })
  }
  return { happened, reports, treeChanged }
}

export const reportOf = ({ exitCode, seq, errorMessage }: Result, message = errorMessage): Report => ({
  exitCode,
  errorMessage: message === null ? null : storable(message),
  resultSeq: seq,
})

/**
 * A runner also stops its steps when it has lost the service: without a cancel that is a failure. Steps that a body
 * adds while its activity is stopped are not created, so it has not succeeded: a retry, which keeps successful steps,
 * would end without them.
 */
function outcomeOf(result: Result, { stopping }: Activity): BodyOutcome {
  if (result.outcome === 'success') return stopping && result.childSteps?.length ? stopping : 'done'
  return result.outcome === 'cancelled' && stopping === 'cancelled' ? 'cancelled' : 'failed'
}

/** Whether a result has something to store; of a failed body only the failure is stored. */
export const bringsSomething = (result: Result) =>
  result.outcome === 'success' &&
  (Object.values(result.propertiesDiffs).some(patch => patch.length > 0) ||
    result.outputs !== undefined ||
    result.childSteps !== undefined ||
    result.replaceChildSteps === true ||
    result.childExecutionStrategy !== undefined)

class Conflict extends Error {
  readonly log: string | undefined
  constructor({ conflict, log }: { readonly conflict: string; readonly log?: string }) {
    super(conflict)
    this.log = log
  }
}

async function store(
  parts: StoreResultParts,
  tx: Tx,
  activity: Activity,
  step: StoredStep,
  result: Result,
): Promise<{ conflict?: string; log?: string | undefined; treeChanged: boolean }> {
  try {
    return await tx.savepoint(async () => {
      const kept = await parts.storeResult(tx, { ...step, activity }, result)
      if ('conflict' in kept) throw new Conflict(kept)
      if (result.outputs) await storeOutputs(tx, parts.keyring, step.id, result.outputs)
      const children = activity.stopping ? [] : (kept.childSteps ?? [])
      const changesTree = children.length > 0 || result.replaceChildSteps || result.childExecutionStrategy
      if (!changesTree) return { treeChanged: false }
      await addChildren(tx, parts.keyring, activity.id, step.id, children, {
        replace: activity.stopping === null && result.replaceChildSteps === true,
        isSkipped: kept.isSkipped,
        ...(result.childExecutionStrategy && { strategy: result.childExecutionStrategy }),
      })
      return { treeChanged: true }
    })
  } catch (error) {
    if (error instanceof Conflict) return { conflict: error.message, log: error.log, treeChanged: false }
    throw error
  }
}
