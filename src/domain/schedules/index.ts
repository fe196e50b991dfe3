import type { Domain } from '#platform/domain.ts'
import type { Row } from '#platform/jsonapi/resource.ts'
import { countAnew } from './clock-set-back.jobs.ts'
import { schedulesLoop } from './come-due.jobs.ts'
import { type MakingParts, makeScheduled } from './make.jobs.ts'
import { deleteSchedulesOfNodes, disableOnDestroy, schedulesOfWorkflows, schedulesOn } from './of-nodes.store.ts'
import { previewView } from './preview.view.ts'
import { type ScheduleParts, scheduleCommands } from './schedule.commands.ts'
import { scheduleResource } from './schedule.resource.ts'
import { documentAad, sealedDocuments } from './schedule.ts'
import { trimOccurrences } from './trim-occurrences.jobs.ts'
import { upcomingView } from './upcoming.view.ts'

export { runMaker } from './make-run.ts'
export { nextDueTimes, nextRunAt, scheduleFaults } from './schedule.ts'
export { nextDueTimesSchema } from './schedule-attributes.ts'

const onNode = { inUse: schedulesOn, onDestroy: disableOnDestroy }
const schedulesLink = (row: Row) => ({ scheduled_activities: `/api${row['path']}/scheduled_activities` })

/** Domain of schedules: changes and runs that are created at due times, in the name of the schedule's creator. */
export const schedulesDomain = (parts: MakingParts & ScheduleParts): Domain => ({
  name: 'schedules',
  resources: [scheduleResource(parts.keyring)],
  commands: scheduleCommands(parts),
  views: [previewView, upcomingView],
  jobs: [makeScheduled(parts), trimOccurrences],
  loops: [schedulesLoop(parts), countAnew],
  deleteNodeData: deleteSchedulesOfNodes,
  sealed: [
    {
      table: 'scheduled_activities',
      key: { id: 'uuid' },
      columns: Object.fromEntries(sealedDocuments.map(name => [name, row => documentAad(row['id'], name)])),
    },
  ],
  extends: {
    project: { links: row => (row['project_type'] === 'Standard' ? {} : schedulesLink(row)), ...onNode },
    environment: { links: schedulesLink, ...onNode },
    asset: { links: schedulesLink, ...onNode },
    workflow: { inUse: schedulesOfWorkflows },
  },
})
