import type { Domain } from '#platform/domain.ts'
import { backgroundTaskCommands } from './background-task.commands.ts'
import { admitTasks, runTask, type TaskParts } from './background-task.jobs.ts'
import { backgroundTaskResource } from './background-task.resource.ts'
import { waitingReasonView } from './background-task.views.ts'
import { backgroundTaskLogResource } from './background-task-log.resource.ts'
import type { TaskType } from './task-type.port.ts'

export { aboutTask, cancelTask, makeTaskOf } from './background-task.commands.ts'
export { say } from './background-task.jobs.ts'
export {
  anyTaskRunsFor,
  cancelTaskFor,
  cancelTasksOf,
  dropTasksOf,
  lockTasksOfVersion,
  makeRunningTask,
  makeTask,
} from './background-task.store.ts'
export { type BackgroundTask, derivationPool, type Ending, typeOf } from './background-task.ts'
export { oldestTasksInProgress, tasksInProgress, unfinishedTasks, waitingTasksOf } from './in-progress.sql.ts'
export { progressWriter } from './progress-writer.ts'
export { taskWork } from './runner-work.tx.ts'
export type { Made, ServiceTaskRuntime, TaskType } from './task-type.port.ts'
export { waitingReasonAnswer, waitingReasonDocument } from './waiting-reason.ts'

/** Background tasks of nodes and template versions. `types`: every type of task with the work that it does. */
export const nodeTasksDomain = (parts: TaskParts, types: readonly TaskType[]): Domain => ({
  name: 'node-tasks',
  resources: [backgroundTaskResource, backgroundTaskLogResource],
  commands: backgroundTaskCommands(types),
  views: [waitingReasonView],
  jobs: [runTask(types)],
  loops: [admitTasks(parts, types)],
})
