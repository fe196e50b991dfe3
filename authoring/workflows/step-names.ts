import { distinctNames } from '../actions/action-tree.ts'
import type { WorkflowStepType } from './workflow-tree.ts'

/** Attributes of a step without a name from which its name is generated. */
export interface Nameable {
  readonly type: WorkflowStepType
  readonly given_name?: string
  readonly targets: readonly string[]
  readonly action?: string
  readonly workflow?: string
  readonly seconds?: number | string
  readonly requires_approval_from?: unknown
}

const longest = 255
const mostTargets = 3

/** Names of siblings, in their order: as given, or generated; siblings with the same name end in -1, -2. */
export const namesOf = (siblings: readonly Nameable[]): string[] =>
  distinctNames(siblings.map(step => (step.given_name ?? made[step.type](step)).slice(0, longest)))

const made: Readonly<Record<WorkflowStepType, (step: Nameable) => string>> = {
  change: ({ action, targets }) => {
    const codes = targets.slice(0, mostTargets).map(codeOf)
    const more = targets.length > mostTargets ? ` and ${targets.length - mostTargets} more` : ''
    return `${action ?? 'change'} ${codes.join(', ')}${more}`.trim()
  },
  wait: ({ seconds, requires_approval_from }) => {
    if (requires_approval_from !== undefined) return 'approval'
    return seconds === undefined ? 'wait' : `wait ${seconds} s`
  },
  workflow: ({ workflow }) => workflow ?? 'workflow',
  stage: () => 'stage',
}

const codeOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1) || path
