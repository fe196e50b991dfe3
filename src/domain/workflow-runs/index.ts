import { sql } from '#platform/db/sql.ts'
import type { Domain } from '#platform/domain.ts'
import { mostRelated } from '#platform/jsonapi/resource.ts'
import { decisionCommands, stepTree, waitingReasonOfRun, workflowRunLive } from '../changes/index.ts'
import { madeLineCounts } from '../logs/index.ts'
import type { EngineParts } from '../steps/index.ts'
import { activityResource } from './activity.resource.ts'
import { alignJob } from './align-pause.jobs.ts'
import { unfinishedRunsOf } from './archive-blockers.sql.ts'
import type { RunParts } from './parts.port.ts'
import { runCommands } from './run.commands.ts'
import { findRun } from './run.store.ts'
import { makingAad, runAad, runPath, sealedOfRun } from './run.ts'
import { runsLoop } from './runs.jobs.ts'
import { workflowRunResource } from './workflow-run.resource.ts'
import { createdIds, readableMade, workflowStepResource } from './workflow-step.resource.ts'

export { activityResource } from './activity.resource.ts'
export { aboutRun, createRun, needsOfRun } from './create-run.tx.ts'
export type { CreateRunParts } from './parts.port.ts'
export { removeOldRun } from './purge-run.tx.ts'
export { isNeededByNoRun, workflowOf } from './run.store.ts'
export { runPath } from './run.ts'

/** All steps of a workflow run in one document. */
const treeOfRun = stepTree({
  kind: 'workflow_run',
  collection: 'workflow_runs',
  named: 'workflow run',
  executePath: sql`a.path || '/workflows/' || (select r.workflow_code from workflow_runs r where r.id = a.id)`,
  made: {
    columns: {
      changes: rights => createdIds('change', readableMade(rights), mostRelated),
      workflow_runs: rights => createdIds('workflow_run', readableMade(rights), mostRelated),
    },
    lines: madeLineCounts,
    describe:
      '`changes` and `workflow_runs`: ids of what it made, as in its relationships; `total_line_count`: the number of lines of its log (`GET /api/workflow_steps/{id}/log`), with those of the steps below it and of what they made.',
  },
})

/** Workflow runs: executions of a version of a workflow, their steps, and the changes and runs that these create. */
export const workflowRunsDomain = (parts: RunParts, engine: EngineParts): Domain => ({
  name: 'workflow-runs',
  resources: [workflowRunResource(parts.keyring), workflowStepResource, activityResource(parts.keyring)],
  views: [treeOfRun, waitingReasonOfRun(engine)],
  live: [workflowRunLive],
  commands: [
    ...runCommands(parts, engine),
    ...decisionCommands(
      {
        kind: 'workflow_run',
        type: 'workflow_step',
        collection: 'workflow_steps',
        executePath: async (tx, step) => {
          const run = await findRun(tx, step.activity_id)
          return run && runPath(run.path, run.workflow_code)
        },
      },
      engine,
    ),
  ],
  jobs: [alignJob.job(engine)],
  loops: [runsLoop(parts, engine)],
  sealed: [
    {
      table: 'workflow_runs',
      key: { id: 'uuid' },
      columns: Object.fromEntries(sealedOfRun.map(name => [name, row => runAad(row['id']!, name)])),
    },
    { table: 'workflow_steps', key: { id: 'uuid' }, columns: { making: ({ id }) => makingAad(id!) } },
  ],
  extends: {
    workflow: { inUse: unfinishedRunsOf },
    project: {
      links: row => (row['project_type'] === 'Standard' ? {} : { workflow_runs: `/api${row['path']}/workflow_runs` }),
    },
  },
})
