import type { Domain } from '#platform/domain.ts'
import type { Row } from '#platform/jsonapi/resource.ts'
import type { ChangeParts } from '../changes/index.ts'
import { schedulesLoop } from './come-due.jobs.ts'
import { makeScheduled } from './make.jobs.ts'
import { disableOnDestroy, forgetSchedules, schedulesOn } from './of-nodes.ts'
import { scheduleCommands } from './schedule.commands.ts'
import { scheduleResource } from './schedule.resource.ts'
import { documentAad, sealedDocuments } from './schedule.ts'

const onNode = { inUse: schedulesOn, onDestroy: disableOnDestroy }
const schedulesLink = (row: Row) => ({ scheduled_activities: `/api${row['path']}/scheduled_activities` })

/** Schedules: changes that are made when they come due, in the name of whoever made the schedule. */
export const schedulesDomain = (parts: ChangeParts): Domain => ({
  name: 'schedules',
  resources: [scheduleResource(parts.keyring)],
  commands: scheduleCommands(parts),
  jobs: [makeScheduled(parts)],
  loops: [schedulesLoop(parts)],
  forgetNodes: forgetSchedules,
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
  },
})
