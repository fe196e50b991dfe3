import type { Data } from '../configuration/data.ts'
import { linesOf, type Metadata, readMetadata } from './metadata-lines.ts'

/** Fields of the run dialog, as they are typed. */
export interface RunForm {
  readonly action: string
  readonly gitRemote: string
  readonly gitRev: string
  /** Empty for the current one. */
  readonly templateVersion: string
  readonly startingStep: string
  /** One glob a line. */
  readonly skipSteps: string
  /** YAML or JSON. */
  readonly overrides: string
  /** `name=value` lines, as `readMetadata` reads them. */
  readonly metadata: string
  /** Value of a `datetime-local` field, in the zone of the user; empty for now. */
  readonly notBefore: string
  readonly autoContinue: boolean
  readonly refresh: boolean
}

export const emptyForm: RunForm = {
  action: '',
  gitRemote: '',
  gitRev: '',
  templateVersion: '',
  startingStep: '',
  skipSteps: '',
  overrides: '',
  metadata: '',
  notBefore: '',
  autoContinue: false,
  refresh: false,
}

/** Attributes of the API for a change. */
export interface RunAttributes {
  readonly action?: string
  readonly git_remote_name?: string
  readonly git_rev?: string
  readonly template_version?: string
  readonly starting_step?: string
  readonly skip_steps?: readonly string[]
  readonly property_overrides?: Data
  readonly metadata?: Metadata
  readonly run_at?: string
  readonly auto_continue_wait_steps?: true
  readonly retry?: true
  readonly refresh_sha?: true
}

/** Attributes for a new change; only what was chosen. `overrides`: the property overrides, read. */
export function runAttributes(form: RunForm, overrides: Data): RunAttributes {
  const skip = linesOf(form.skipSteps)
  const { values } = readMetadata(form.metadata)
  return {
    action: form.action,
    ...(form.gitRemote !== '' && { git_remote_name: form.gitRemote }),
    ...(form.gitRev.trim() !== '' && { git_rev: form.gitRev.trim() }),
    ...(form.templateVersion !== '' && { template_version: form.templateVersion }),
    ...(form.startingStep.trim() !== '' && { starting_step: form.startingStep.trim() }),
    ...(skip.length > 0 && { skip_steps: skip }),
    ...(Object.keys(overrides).length > 0 && { property_overrides: overrides }),
    ...(Object.keys(values).length > 0 && { metadata: values }),
    ...(form.notBefore !== '' && { run_at: new Date(form.notBefore).toISOString() }),
    ...(form.autoContinue && { auto_continue_wait_steps: true as const }),
  }
}

/**
 * Attributes for a retry: what differs from the original, since everything else is taken over from it.
 *
 * @param original form as it was filled in from the original, and its property overrides
 */
export function retryAttributes(
  form: RunForm,
  overrides: Data,
  original: { readonly form: RunForm; readonly overrides: Data },
): RunAttributes {
  const { values } = readMetadata(form.metadata)
  return {
    retry: true,
    ...(form.refresh && { refresh_sha: true as const }),
    ...(form.skipSteps !== original.form.skipSteps && { skip_steps: linesOf(form.skipSteps) }),
    ...(form.metadata !== original.form.metadata && { metadata: values }),
    ...(JSON.stringify(overrides) !== JSON.stringify(original.overrides) && { property_overrides: overrides }),
  }
}

/** Adds a step to the lines of steps to skip, or removes it. */
export function withToggledStep(skipSteps: string, fullPath: string): string {
  const lines = linesOf(skipSteps)
  return (lines.includes(fullPath) ? lines.filter(line => line !== fullPath) : [...lines, fullPath]).join('\n')
}
