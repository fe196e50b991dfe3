import type { RunnerWork } from './runner-work.port.ts'

/**
 * Work for runners of activities and of background tasks. Calls without a kind go to both: an id belongs to one or the
 * other.
 */
export function combinedWork(activities: RunnerWork, tasks: RunnerWork): RunnerWork {
  const isOfTask = ({ of }: { of: string }) => of === 'task'
  const of = ({ of }: { of: 'activity' | 'task' }) => (of === 'task' ? tasks : activities)
  return {
    commit: (queries, runner) => of(runner).commit(queries, runner),
    archive: (runner, commit) => of(runner).archive(runner, commit),
    // If no runner works for a task, tasks are not queried.
    news: async (queries, runners) => {
      const ofTasks = runners.filter(isOfTask)
      const others = runners.filter(runner => !isOfTask(runner))
      const told = [
        ...(others.length > 0 ? [activities.news(queries, others)] : []),
        ...(ofTasks.length > 0 ? [tasks.news(queries, ofTasks)] : []),
      ]
      return (await Promise.all(told)).flat()
    },
    running: async (queries, id) => {
      const steps = await activities.running(queries, id)
      return steps.length > 0 ? steps : tasks.running(queries, id)
    },
    claim: (tx, runner) => of(runner).claim(tx, runner),
    again: (tx, runner, attempts) => of(runner).again(tx, runner, attempts),
    applyResults: (tx, runner, results, more) => of(runner).applyResults(tx, runner, results, more),
    lookAhead: (runner, attempts) => of(runner).lookAhead(runner, attempts),
    succeed: (runner, results) => of(runner).succeed(runner, results),
    retrying: (runner, error) => of(runner).retrying(runner, error),
    cannotApply: (runner, stepId, failure) => of(runner).cannotApply(runner, stepId, failure),
    cannotStore: (runner, lines, failure) => of(runner).cannotStore(runner, lines, failure),
    deferred: (runner, error, around) => of(runner).deferred(runner, error, around),
    resolveLost: async (tx, lost) => {
      await tasks.resolveLost(tx, lost)
      await activities.resolveLost(tx, lost)
    },
    cleanupFailed: async (tx, runner, why) => {
      await tasks.cleanupFailed(tx, runner, why)
      await activities.cleanupFailed(tx, runner, why)
    },
    stepOf: (queries, attempt) => activities.stepOf(queries, attempt),
  }
}
