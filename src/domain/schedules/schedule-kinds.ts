import { actionPath } from '../changes/index.ts'
import { eventNode, type Node } from '../nodes/index.ts'
import type { Schedule, Written } from './schedule.store.ts'

export type ScheduleKind = 'scheduled_change' | 'scheduled_workflow'

/** Differences of the two kinds, for events and rights. */
interface Kind {
  /** Controller in event types such as `api:<controller>:create`. */
  readonly controller: 'scheduled_changes' | 'scheduled_workflows'
  readonly creation: 'change_creation' | 'workflow_run_creation'
  /** Attribute of an event that names the created record. */
  readonly madeId: 'change_id' | 'workflow_run_id'
}

const kinds: Readonly<Record<ScheduleKind, Kind>> = {
  scheduled_change: { controller: 'scheduled_changes', creation: 'change_creation', madeId: 'change_id' },
  scheduled_workflow: {
    controller: 'scheduled_workflows',
    creation: 'workflow_run_creation',
    madeId: 'workflow_run_id',
  },
}

type Runs = Pick<Schedule, 'action' | 'workflow_code'>

const kindOf = ({ action }: Runs): ScheduleKind => (action === null ? 'scheduled_workflow' : 'scheduled_change')

export const namesOfKind = (runs: Runs): Kind => kinds[kindOf(runs)]

/** Name of what it runs, for people. */
export const nameOf = ({ action, workflow_code }: Runs): string => action ?? workflow_code ?? ''

/** Path of the right to run that. */
export const executePath = (nodePath: string, { action, workflow_code }: Runs): string =>
  action === null ? `${nodePath}/workflows/${workflow_code}` : actionPath(nodePath, action)

/** Event attributes of a schedule. */
export const aboutSchedule = (schedule: Pick<Schedule, 'id' | 'action' | 'workflow_code'>, node: Node) => ({
  source: { type: kindOf(schedule), id: schedule.id },
  node: eventNode(node),
  attributes: { name: nameOf(schedule) },
})

/** Origin attributes in the form of a change's: null ones are absent. */
export const originAttributes = (schedule: Pick<Written, 'git_remote_name' | 'git_rev' | 'template_version'>) => ({
  ...(schedule.git_remote_name !== null && { git_remote_name: schedule.git_remote_name }),
  ...(schedule.git_rev !== null && { git_rev: schedule.git_rev }),
  ...(schedule.template_version !== null && { template_version: schedule.template_version }),
})
