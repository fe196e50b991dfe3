import type { Database } from '#platform/db/database.ts'
import type { Domain } from '#platform/domain.ts'
import { changeContexts } from '../changes/index.ts'
import type { RunnerWork } from '../runners/index.ts'
import type { EngineParts } from '../steps/index.ts'
import { changesNow } from './changes-now.tx.ts'
import type { StepExecutionParts } from './parts.port.ts'
import { changeWork } from './runner-work.tx.ts'
import { stepBodies, stepCatalogue, stepGitClone } from './step-asks.views.ts'
import { stepEmail } from './step-email.commands.ts'
import { stepSecretCommands } from './step-secrets.commands.ts'

export { maskFirst } from './mask-first.tx.ts'
export { maskTexts } from './mask-texts.tx.ts'
export type { StepExecutionParts } from './parts.port.ts'
export { storeResultWith } from './store-result.tx.ts'

/** Execution of steps: what a runner is sent, what a running step may request, and how its results are processed. */
export const stepExecutionDomain = (parts: StepExecutionParts): Domain => ({
  name: 'step-execution',
  views: [stepBodies(parts), stepCatalogue(parts), stepGitClone(parts)],
  commands: [...stepSecretCommands(parts), stepEmail(parts)],
})

/** Work of runners for changes. */
export const runnerWork = (parts: StepExecutionParts, engine: EngineParts, database: Database): RunnerWork =>
  changeWork({ ...parts, engine, changes: changesNow(parts), contexts: changeContexts(parts) }, database)
