export { type ParsedWorkflow, parseWorkflow } from './read-workflow.ts'
export { type ResolvedWith, type ResolvedWorkflow, resolveWorkflow } from './resolve-workflow.ts'
export { startsAt } from './start-time.ts'
export type {
  RunAs,
  WorkflowApprovers,
  WorkflowError,
  WorkflowStep,
  WorkflowStepType,
  WrittenStep,
} from './workflow-tree.ts'
