import { actionPath } from '../changes/index.ts'
import { eventNode, type Node } from '../nodes/index.ts'
import type { Schedule } from './schedule.store.ts'

export type ScheduleKind = 'scheduled_change' | 'scheduled_workflow'

/** What the two kinds differ in, as events and rights say it. */
interface Kind {
  /** Of `api:<controller>:create` and the like. */
  readonly controller: 'scheduled_changes' | 'scheduled_workflows'
  readonly creation: 'change_creation' | 'workflow_run_creation'
  /** What of an event's attributes names what was made. */
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

export const sayingOf = (runs: Runs): Kind => kinds[kindOf(runs)]

/** What it runs, as people call it. */
export const nameOf = ({ action, workflow_code }: Runs): string => action ?? workflow_code ?? ''

/** The path on which the right to run that is asked. */
export const executePath = (nodePath: string, { action, workflow_code }: Runs): string =>
  action === null ? `${nodePath}/workflows/${workflow_code}` : actionPath(nodePath, action)

/** What an event says of the schedule that it is about. */
export const aboutSchedule = (schedule: Pick<Schedule, 'id' | 'action' | 'workflow_code'>, node: Node) => ({
  source: { type: kindOf(schedule), id: schedule.id },
  node: eventNode(node),
  attributes: { name: nameOf(schedule) },
})
