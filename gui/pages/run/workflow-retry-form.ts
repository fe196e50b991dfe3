import type { Data } from '../configuration/data.ts'
import { linesOf, readMetadata } from './metadata-lines.ts'
import type { InputForm, Original } from './run-fields.tsx'
import type { WorkflowRunAttributes } from './use-workflow-plan.ts'

/** Fields of the retry of a workflow run, as they are typed. */
export interface WorkflowRetryForm extends InputForm {
  readonly version: number
  /** Value of a `datetime-local` field, in the zone of the user; empty for now. */
  readonly notBefore: string
}

/** Attributes for a retry: what differs from the original, since everything else is taken over from it. */
export function retryRunAttributes(
  form: WorkflowRetryForm,
  overrides: Data,
  original: Original & { readonly version: number },
): WorkflowRunAttributes {
  return {
    retry: true,
    ...(form.version !== original.version && { version: form.version }),
    ...(form.skipSteps !== original.form.skipSteps && { skip_steps: linesOf(form.skipSteps) }),
    ...(form.metadata !== original.form.metadata && { metadata: readMetadata(form.metadata).values }),
    ...(JSON.stringify(overrides) !== JSON.stringify(original.overrides) && { property_overrides: overrides }),
    ...(form.notBefore !== '' && { run_at: new Date(form.notBefore).toISOString() }),
  }
}
