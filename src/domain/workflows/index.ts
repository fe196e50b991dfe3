export type {
  RunAs,
  WorkflowApprovers,
  WorkflowError,
  WorkflowStep,
  WorkflowStepType,
  WrittenStep,
} from './workflow-tree.ts'
