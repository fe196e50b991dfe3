import { sql } from '../../src/platform/db/sql.ts'
import type { FailureWorld } from './world.ts'

/** Workflows for chaos runs, on the nodes in a run's property `on`. */
const workflows = {
  pair: `
steps:
  - { name: both, targets: "{{ on }}", action: short, run_as: parallel }
  - { type: wait, name: a moment, seconds: 1 }
  - { name: once more, targets: "{{ on }}", action: adding }
`,
  nest: `
steps:
  - { type: workflow, target: pair, name: within, property_overrides: { on: "{{ on }}" } }
  - { name: last, targets: "{{ on }}", action: short }
`,
} as const

export type Workflow = keyof typeof workflows

/** Several runs of one workflow may be concurrent. */
export const settingsOfRuns = { SERVICE_OVERRIDE_ALLOW_PARALLEL__RUNS_OF_SAME_WORKFLOW: 'true' }

/** Target while publishing. */
export const propertiesOfRuns = { on: ['environments/live/assets/a1', 'environments/live/assets/a2'] }

export async function publishWorkflows({ sluice }: FailureWorld): Promise<void> {
  for (const [code, source_yaml] of Object.entries(workflows)) {
    await sluice.create('/api/projects/w/workflows', { code, name: code, source_yaml })
    await sluice.send('POST', `/api/projects/w/workflows/${code}/versions/1/publish`)
  }
}

/** Expected outcome of each change of a run: success, unless the run was cancelled. */
export async function expectWhatRunsMade({ database, expected }: FailureWorld): Promise<void> {
  const made = await database.rows(sql<{ id: string; cancelled: boolean }>`
    select m.id, r.cancel_requested_at is not null as cancelled
      from activities m
      join steps s on s.id = m.workflow_step_id
      join activities r on r.id = s.activity_id
     where m.kind = 'change'`)
  for (const { id, cancelled } of made)
    expected.set(id, { ends: cancelled ? ['success', 'cancelled'] : ['success'], undisturbed: true })
}
