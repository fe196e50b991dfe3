import { text } from 'node:stream/consumers'
import { fromJson } from '../json/from-json.ts'
import { endAll, findMarked, type User } from './sandbox/processes.ts'

/**
 * Ends what is left of a runner that is lost: itself, and all that its running attempts have started. Processes left by
 * attempts that had ended well before carry their mark, and are spared.
 *
 * Standard input: {runnerId, running: [{stepId, attempt}], runAs?}. Ends when none of it is left.
 */
const { runnerId, running, runAs } = fromJson(await text(process.stdin)) as {
  runnerId: string
  running: { stepId: string; attempt: number }[]
  runAs?: User
}
const wanted = (environment: string) =>
  !environment.includes('\0SLUICE_STEP_ID=') ||
  running.some(
    ({ stepId, attempt }) =>
      environment.includes(`\0SLUICE_STEP_ID=${stepId}\0`) && environment.includes(`\0SLUICE_ATTEMPT=${attempt}\0`),
  )

await endAll(() => findMarked({ environment: [`SLUICE_RUNNER_ID=${runnerId}`], roots: [], wanted }, runAs), 0)
