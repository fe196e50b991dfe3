import type { Domain } from '#platform/domain.ts'
import type { ChangeParts } from '../changes/index.ts'
import { stepBodies, stepCatalogue, stepGitClone } from './step-asks.views.ts'
import { stepEmail } from './step-email.commands.ts'
import { stepSecretCommands } from './step-secrets.commands.ts'

export { maskFirst } from './mask-first.tx.ts'
export { maskTexts } from './mask-texts.tx.ts'
export { runnerWork } from './runner-work.tx.ts'
export { storeResultWith } from './store-result.tx.ts'

/** Execution of steps: what a runner is given, what a running step may request, and what becomes of its results. */
export const stepExecutionDomain = (parts: ChangeParts): Domain => ({
  name: 'step-execution',
  views: [stepBodies(parts), stepCatalogue(parts), stepGitClone(parts)],
  commands: [...stepSecretCommands(parts), stepEmail(parts)],
})
