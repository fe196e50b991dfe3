import type { JsonObject } from '#platform/documents/document.ts'
import { runnerOptions } from '../runners/index.ts'
import type { ActivitySettings } from '../steps/for-changes.ts'

/**
 * Settings for admission and the runner, as they are in force when the change is created. The catalogue of settings has
 * validated every value and filled in the defaults.
 */
export const runSettings = (data: JsonObject): ActivitySettings => ({
  allowSameName: data['allow_parallel.runs_of_same_change'] === true,
  allowParallel: data['allow_parallel.changes'] !== false,
  podPerStep: data['pod_per_change_step'] === true,
  parallelSteps: Number(data['parallel_change_worker_steps'] ?? 5),
  onRunnerLost: data['on_runner_lost'] === 'restart' ? 'restart' : 'error',
  runnerKind: (data['runner.kind'] ?? 'process') as ActivitySettings['runnerKind'],
  runnerOptions: runnerOptions(data),
  idleSeconds: Number(data['runner.idle_timeout'] ?? 30),
})
