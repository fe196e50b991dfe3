import type { Context } from '#platform/commands/command.ts'
import { equal, type JsonObject } from '#platform/documents/document.ts'
import { failpoint } from '#platform/failpoints.ts'
import { Failure, type Fault, failure, missing } from '#platform/failure.ts'
import { countedFor, passedByRetryOf } from '../changes/index.ts'
import { lockUnarchived, type Node } from '../nodes/index.ts'
import { checkProperties } from '../properties/index.ts'
import { type EndedStep, endedTree, insertRetry, lockActivity, makeReady } from '../steps/index.ts'
import type { RunnableVersion } from '../workflows/index.ts'
import { makingsOf, takeOverMakings } from './making.store.ts'
import type { CreateRunParts } from './parts.port.ts'
import { failureIfUnfinished } from './purge-run.tx.ts'
import { isSameWork } from './retried-making.ts'
import { copyRun, overridesOf, type StoredRun, unfinishedRetry } from './run.store.ts'
import { createRunActivity, type RunCreator } from './run-activity.ts'
import { type Making, makingsByPath, makingsByStep, withNameMask } from './run-tree.ts'
import { nothingLeft, treeOfVersion, versionToRun } from './version-to-run.tx.ts'

/** Options of a retry in which it may differ from its run. */
export interface RunRetryRequest {
  /** Another published version of the workflow, whose steps run, except for those that had succeeded. */
  readonly version?: number
  /** Overrides instead of the run's: the steps are resolved again, with the current properties. */
  readonly property_overrides?: JsonObject
  readonly skip_steps?: readonly string[]
  readonly metadata?: JsonObject
  readonly run_at?: string
}

/** Names of the attributes, for the message about unknown ones. */
const retryAttributes = ['retry', 'version', 'property_overrides', 'skip_steps', 'metadata', 'run_at']

const retryable = ['error', 'cancelled', 'aborted', 'system_error']

/** 409 for a run that has not ended, or that ended well. */
export function refuseRetry({ status }: Pick<StoredRun, 'status'>): Failure | undefined {
  if (retryable.includes(status)) return undefined
  return failure(
    'wrong-state',
    status === 'success' ? 'The run ended well: there is nothing to try again.' : 'The run has not ended yet.',
  )
}

/**
 * Creates a retry of a run that did not end well: successful steps are kept, an unsuccessful change or run is retried,
 * and waits with `reset_on_retry` are required again. Same version, same values, unless others are requested.
 *
 * @returns its id
 * @throws Failure `wrong-state` for a run that has not ended with all of its children, ended well, or is being retried
 *   already; `archived`; `invalid` for attributes that a retry does not accept; for another version or other overrides
 *   the failures of a new run
 */
export async function retryRun(
  parts: CreateRunParts,
  { tx, actor }: Pick<Context, 'tx' | 'actor'>,
  project: Node,
  run: StoredRun,
  asked: RunRetryRequest,
  by: RunCreator = {},
): Promise<string> {
  await lockUnarchived(tx, project)
  const ended = await lockActivity(tx, run.id)
  if (!ended) throw missing()
  const refused = refuseRetry(ended)
  if (refused) throw refused
  const under = await unfinishedRetry(tx, run.id, await passedByRetryOf(tx, actor))
  if (under) throw failure('wrong-state', `The run is being retried already: by the run ${under.id}.`)
  const goesOn = await failureIfUnfinished(tx, run.id)
  if (goesOn) throw goesOn
  const before = await endedTree(tx, parts.keyring, run.id)
  if (!before) throw failure('wrong-state', 'The run ended before it had any steps: make a new one.')
  const version = await versionToRun(parts.keyring, tx, project, {
    workflow: run.workflow_code,
    version: asked.version ?? run.version,
  })
  // After checks of the current run and its workflow: 409 goes before 422.
  refuseOthers(asked)
  const old = overridesOf(parts.keyring, run)
  const overrides = asked.property_overrides ?? old
  checkProperties(overrides, project.path, '/data/attributes/property_overrides')
  const isAsBefore = version.version === run.version && equal(overrides, old)
  const plan = isAsBefore
    ? sameTree(before, run, asked)
    : await otherTree(parts, tx, { project, run, version, overrides, asked })
  const id = await createRunActivity(parts, { tx, actor }, project, {
    code: run.workflow_code,
    runAt: asked.run_at,
    by,
    scopeProjectId: run.scope_project_id ?? version.scopeProjectId,
  })
  await copyRun(tx, parts.keyring, {
    from: run.id,
    to: id,
    version,
    propertyOverrides: overrides,
    skipSteps: asked.skip_steps ?? null,
    metadata: asked.metadata ?? null,
    depth: by.step?.depth ?? 0,
  })
  const isMasked = asked.skip_steps !== undefined && !equal([...asked.skip_steps], [...run.skip_steps])
  // Approvals count only for exactly what was approved.
  const counts = isAsBefore && !isMasked ? countedFor(actor.username) : () => []
  await insertRetry(tx, parts.keyring, { from: run.id, to: id, before, counts, ...plan.steps })
  await takeOverMakings(tx, parts.keyring, id, plan.makings)
  await makeReady(tx, id)
  failpoint('run-retry-before-commit')
  return id
}

function refuseOthers(asked: RunRetryRequest): void {
  const [first, ...others] = Object.keys(asked)
    .filter(each => !retryAttributes.includes(each))
    .map(
      (each): Fault => ({
        code: 'invalid',
        detail: `A retry takes ${each} from the run that it is of; what may be given is ${retryAttributes.join(', ')}.`,
        source: { pointer: `/data/attributes/${each}` },
      }),
    )
  if (first) throw new Failure([first, ...others])
}

function sameTree(before: EndedStep, run: StoredRun, asked: RunRetryRequest) {
  const tree = asked.skip_steps === undefined ? before : withNameMask(before, asked.skip_steps)
  if (!tree) throw nothingLeft(run.name)
  return { steps: { tree }, makings: undefined }
}

/**
 * Tree of a retry with another version or other overrides. Steps are matched by their names and by what they create; a
 * step with other values counts as not done.
 */
async function otherTree(
  { keyring, converge }: Pick<CreateRunParts, 'keyring' | 'converge'>,
  tx: Context['tx'],
  what: {
    readonly project: Node
    readonly run: StoredRun
    readonly version: RunnableVersion
    readonly overrides: JsonObject
    readonly asked: RunRetryRequest
  },
) {
  const { project, run, version, overrides, asked } = what
  const tree = await treeOfVersion(converge, tx, project, version, {
    propertyOverrides: overrides,
    skipSteps: asked.skip_steps ?? run.skip_steps,
  })
  const now = makingsByStep(tree)
  const then = await makingsOf(tx, keyring, run.id)
  const work = (one: Making | null | undefined, other: Making | undefined) =>
    one && other ? isSameWork(one, other) : !one && !other
  const steps = {
    tree: tree.root,
    // A step above several targets is only their parent: each of them is compared.
    isSame: (step: typeof tree.root, was: EndedStep) =>
      step.step_type === was.step_type && (step.children.length > 0 || work(now.get(step), then.get(was.id))),
  }
  return { steps, makings: makingsByPath(tree) }
}
