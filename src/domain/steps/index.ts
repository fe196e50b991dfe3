export { type ActivityMoveName, type ActivityState, activityLife, activityMovesOf } from './activity.lifecycle.ts'
export { type StepMoveName, type StepState, stepLife } from './step.lifecycle.ts'
export type { StepDefinition } from './step-definition.ts'
