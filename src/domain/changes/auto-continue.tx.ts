import type { InputArgument } from '#authoring/actions/action.ts'
import { theService } from '#platform/actor.ts'
import type { Tx } from '#platform/db/database.ts'
import { Failure } from '#platform/failure.ts'
import { addToLog } from '../logs/index.ts'
import type { DueStep } from '../steps/for-changes.ts'
import type { Activity, StepDefinition } from '../steps/index.ts'
import { findChange } from './change.store.ts'
import { goesOnByItself } from './input-arguments.ts'
import type { ChangeParts } from './parts.port.ts'
import { putArguments } from './put-arguments.tx.ts'

/**
 * Continues at once every wait that needs no person: one without approvers whose arguments all have defaults. A wait
 * with its own end time keeps it.
 */
export const withAutoContinue = (step: StepDefinition): StepDefinition => ({
  ...step,
  ...(needsNobody(step) && { wait: { seconds: 0 } }),
  children: step.children.map(withAutoContinue),
})

function needsNobody({ step_type, wait, requires_approval_from, input_arguments }: StepDefinition): boolean {
  const isWait = step_type === 'wait' || step_type === 'input'
  if (!isWait || wait || (requires_approval_from ?? []).length > 0) return false
  return goesOnByItself((input_arguments ?? []) as unknown as readonly InputArgument[])
}

/**
 * Continues waiting steps whose time has come: an input step takes its defaults. If it cannot, it keeps waiting, and
 * its log says for what: a person, or, if a default is sensitive and the vault is unavailable, the vault.
 */
export const continuedByThemselves =
  (parts: Pick<ChangeParts, 'keyring' | 'record' | 'vaults'>) =>
  async (tx: Tx, activity: Activity, due: readonly DueStep[]) => {
    if (activity.kind !== 'change' || due.every(step => step.input_arguments === null && step.wait_seconds !== 0))
      return { going: due, later: [] }
    const change = (await findChange(tx, activity.id))!
    const [going, later]: [DueStep[], DueStep[]] = [[], []]
    for (const step of due) {
      const taken = await defaultsOf(parts, tx, { ...step, activity_id: activity.id })
      if (taken instanceof Failure) {
        const isAway = taken.faults[0].code === 'unavailable'
        if (isAway) later.push(step)
        await addToLog(tx, {
          activityId: activity.id,
          attempt: { stepId: step.id, attempt: 0 },
          message: isAway
            ? `It does not continue by itself yet, and tries again in half a minute: ${taken.message}`
            : `It does not continue by itself: ${taken.message}`,
        })
        continue
      }
      going.push(step)
      if (!change.auto_continue_wait_steps) continue
      await parts.record(tx, {
        type: 'audit:steps:continue',
        actor: theService,
        source: { type: 'step', id: step.id },
        node: { id: activity.node_id, path: activity.path, projectId: activity.project_id },
        activityId: activity.id,
        attributes: { name: step.full_path, automatic: true, ...(taken.length > 0 && { input_arguments: taken }) },
      })
    }
    return { going, later }
  }

async function defaultsOf(
  parts: Pick<ChangeParts, 'keyring' | 'vaults'>,
  tx: Tx,
  step: Parameters<typeof putArguments>[2],
): Promise<readonly string[] | Failure> {
  try {
    return await tx.savepoint(() => putArguments(parts, tx, step, {}, theService))
  } catch (error) {
    if (error instanceof Failure) return error
    throw error
  }
}
