import { dirname } from 'node:path'
import type { Attempt, StepToRun } from '../../protocol/runner-protocol.ts'
import { places } from './step-folder.ts'

/** Environment of everything that a runner starts, without anything of the service's own environment. */
export function baseEnvironment(place: {
  runnerId: string
  work: string
  node: string
  userName: string
}): Record<string, string> {
  return {
    // Its own Node first: the one that a machine brings along may be too old to run TypeScript as it is.
    PATH: `${dirname(place.node)}:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin`,
    HOME: places.home(place.work),
    TMPDIR: places.temporary(place.work),
    USER: place.userName,
    LOGNAME: place.userName,
    LANG: 'C.UTF-8',
    TZ: 'UTC',
    SLUICE_RUNNER_ID: place.runnerId,
  }
}

export type StepHost = {
  work: string
  apiUrl: string
  baseEnvironment: Record<string, string>
  /** Whether scripts run below keepers here. */
  hasSubreaper: boolean
}

/** Environment of one body: the variables that the protocol promises come last, so that nothing replaces them. */
export function stepEnvironment(
  step: StepToRun,
  bodyEnvironment: Record<string, string>,
  { work, apiUrl, baseEnvironment }: StepHost,
): Record<string, string> {
  const name = stepFolderName(step)
  return {
    ...step.env,
    ...bodyEnvironment,
    SLUICE_STEP_CONTEXT: places.context(work, name),
    SLUICE_STEP_RESULT: places.result(work, name),
    SLUICE_ARTEFACTS: places.artefacts(work, name),
    SLUICE_ARTEFACT_LABELS: places.labels(work, name),
    SLUICE_STEP_ID: step.stepId,
    SLUICE_ATTEMPT: String(step.attempt),
    SLUICE_API_URL: apiUrl,
    SLUICE_API_TOKEN: step.apiToken,
    SLUICE_RUNNER_ID: baseEnvironment['SLUICE_RUNNER_ID']!,
  }
}

export const stepFolderName = ({ stepId, attempt }: Pick<Attempt, 'stepId' | 'attempt'>): string =>
  `${stepId}-${attempt}`
