import { run } from '../../messages/run.ts'
import { schedules as texts } from '../../messages/schedules.ts'
import type { ScheduleForm } from './schedule-form.ts'

type Switches = 'isParallel' | 'needsNewCommit' | 'autoContinue'
type Field = Exclude<keyof ScheduleForm, 'node' | 'kind' | 'version' | 'templateVersion' | Switches>

/** Names of the fields on the screen. Two people cannot change a switch differently. */
export const fieldLabels: Readonly<Record<Field, string>> = {
  action: texts.action,
  workflow: texts.workflow,
  gitRemote: texts.gitRemote,
  gitRev: texts.gitRev,
  timing: texts.timing,
  cron: texts.cron,
  runAt: texts.runAt,
  zone: texts.zone,
  maximum: texts.maximum,
  endAt: texts.endAt,
  startingStep: run.startingStep,
  skipSteps: run.skipSteps,
  metadata: run.metadata,
  overrides: run.overrides,
}

interface Rebased {
  /** Their values, with those of mine that I have changed. */
  readonly form: ScheduleForm
  /** Their values of the fields that both have changed, as texts. */
  readonly conflict: Partial<Record<Field, string>>
}

/** Form that was changed from `first`, on top of what somebody else has saved since. */
export function rebasedForm(mine: ScheduleForm, first: ScheduleForm, theirs: ScheduleForm): Rebased {
  const names = Object.keys(mine) as (keyof ScheduleForm)[]
  const changed = names.filter(name => mine[name] !== first[name])
  const contested = (Object.keys(fieldLabels) as Field[]).filter(
    name => changed.includes(name) && theirs[name] !== first[name] && theirs[name] !== mine[name],
  )
  return {
    form: { ...theirs, ...Object.fromEntries(changed.map(name => [name, mine[name]])) },
    conflict: Object.fromEntries(
      contested.map(name => [name, name === 'timing' ? texts.timings[theirs.timing] : theirs[name]]),
    ),
  }
}
