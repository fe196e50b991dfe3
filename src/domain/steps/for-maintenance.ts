/* The engine for maintenance: what is in progress and what it waits for. */

export {
  type Awaited,
  activitiesInProgress,
  awaited,
  oldestInProgress,
  unfinishedActivities,
  type WaitingActivity,
  waitingActivitiesOf,
} from './admission/in-progress.sql.ts'
export { instant } from './admission/waiting.store.ts'
export { unfinishedStatuses } from './rules/states.ts'
