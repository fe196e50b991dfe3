import type { Context } from '#platform/commands/command.ts'
import type { JsonObject } from '#platform/documents/document.ts'
import { failure } from '#platform/failure.ts'
import { holdUnarchived, type Node } from '../nodes/index.ts'
import { endedTree, insertRetry, lockActivity, makeReady } from '../steps/index.ts'
import type { RunParts } from './parts.ts'
import { copyMakings, copyRun, type StoredRun } from './run.store.ts'
import { createRunActivity, type RunMadeBy } from './run-activity.ts'
import { withNameMask } from './run-tree.ts'

/** What a retry may have otherwise than the run that it is of. */
export interface RetryAsked {
  readonly version?: number
  readonly property_overrides?: JsonObject
  readonly skip_steps?: readonly string[]
  readonly metadata?: JsonObject
  readonly run_at?: string
}

const retryable = ['error', 'cancelled', 'aborted', 'system_error']

/**
 * Makes a retry of a run that ended otherwise than well (execution.md 4): steps that succeeded are kept as they ended, a
 * change or run that did not is tried again, and waits of `reset_on_retry` are asked again. Same version, same values.
 *
 * @returns its id
 * @throws Failure `wrong-state` of a run that has not ended, or ended well
 */
export async function retryRun(
  parts: RunParts,
  { tx, actor }: Pick<Context, 'tx' | 'actor'>,
  project: Node,
  run: StoredRun,
  asked: RetryAsked,
  by: RunMadeBy = {},
): Promise<string> {
  const fixed = (['version', 'property_overrides'] as const).find(name => asked[name] !== undefined)
  if (fixed)
    throw failure('invalid', `A retry runs what the run ran, with the same values: ${fixed} is for a new run.`, {
      source: { pointer: `/data/attributes/${fixed}` },
    })
  await holdUnarchived(tx, project)
  const ended = await lockActivity(tx, run.id)
  if (!ended || !retryable.includes(ended.status))
    throw failure(
      'wrong-state',
      ended?.status === 'success' ? 'The run ended well: there is nothing to try again.' : 'The run has not ended yet.',
    )
  const before = await endedTree(tx, parts.keyring, run.id)
  if (!before) throw failure('wrong-state', 'The run ended before it had any steps: make a new one.')
  const tree = asked.skip_steps === undefined ? before : withNameMask(before, asked.skip_steps)
  if (!tree)
    throw failure('invalid', `skip_steps would skip ${run.name}, which is the whole run.`, {
      source: { pointer: '/data/attributes/skip_steps' },
    })
  const id = await createRunActivity(parts, { tx, actor }, project, {
    code: run.workflow_code,
    runAt: asked.run_at,
    by,
  })
  await copyRun(tx, parts.keyring, {
    from: run.id,
    to: id,
    skipSteps: asked.skip_steps ?? null,
    metadata: asked.metadata ?? null,
    depth: by.step?.depth ?? 0,
  })
  // What was approved is what runs: the same version with the same values.
  await insertRetry(tx, parts.keyring, { from: run.id, to: id, tree, before, counts: (_, given) => given })
  await copyMakings(tx, parts.keyring, id)
  await makeReady(tx, id)
  return id
}
