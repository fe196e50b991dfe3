import type { Keyring } from '#platform/crypto/index.ts'
import type { JsonObject } from '#platform/documents/document.ts'
import type { ChangeContext, ChangeContexts, ChangeNow } from '../changes/index.ts'
import type { LiveRunner, StepMessage } from '../runners/index.ts'
import type { ClaimedStep, Claimer, ResultParts, StepAbove } from '../steps/for-step-execution.ts'
import type { EngineParts } from '../steps/index.ts'
import { attemptToken } from '../users/index.ts'
import type { ChangesNow } from './changes-now.tx.ts'
import { stepMessage, type Unrunnable } from './step-message.ts'

/**
 * Number of steps that a runner may claim: unlimited, because the engine applies the limit of the change's settings.
 */
const noLimit = Number.MAX_SAFE_INTEGER

export const claimerOf = ({ id, stepId }: LiveRunner): Claimer => ({ runnerId: id, limit: noLimit, stepId })

/** Dependencies of the work of runners for changes. */
export interface ChangeWork {
  readonly keyring: Keyring
  readonly engine: ResultParts & Pick<EngineParts, 'recording'>
  readonly changes: ChangesNow
  readonly contexts: ChangeContexts
}

/** Dependencies for building a step's message. */
export interface SeenChange {
  readonly now: ChangeNow
  readonly seen: ChangeContext
}

export function messageOf(
  keyring: Keyring,
  step: ClaimedStep,
  { now: { change, settings }, seen }: SeenChange,
  above: readonly StepAbove[],
): StepMessage | Unrunnable {
  const { id: stepId, fence } = step
  const minutes = Number(settings['token.access_expiry_minutes'] ?? 240)
  return stepMessage(step, seen, {
    apiToken: attemptToken(keyring, { userId: change.user_id, stepId, fence, minutes }),
    parents: above.map(
      ({ id, step_name, full_path, action }): JsonObject => ({ id, name: step_name, full_path, action }),
    ),
  })
}
