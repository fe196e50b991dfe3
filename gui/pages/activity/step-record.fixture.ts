import type { StepRecord } from './steps.ts'

/** Record of a step for tests. */
export function stepRecord(
  id: string,
  parent: string | null,
  order: string,
  more: Partial<StepRecord['attributes']> = {},
): StepRecord {
  return {
    id,
    type: 'step',
    attributes: {
      full_path: id,
      step_name: id,
      step_type: 'standard',
      status_code: 'success',
      child_execution_strategy: 'sequential',
      ignore_failure: false,
      requires_approval_from: [],
      approved_by: [],
      tree_order: order,
      started_at: null,
      finished_at: null,
      updated_at: '2026-11-27T10:00:00Z',
      ...more,
    },
    relationships: { parent: { data: parent === null ? null : { id: parent, type: 'step' } } },
  }
}
