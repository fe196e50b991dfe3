import type { StepDefinition } from './step-definition.ts'

type Tree<Step> = StepDefinition & { readonly children: readonly Step[] }

/** Leaves out the step and all of its descendants; steps with approvers are kept. */
export const leftOut = <Step extends Tree<Step>>(step: Step): Step => ({
  ...leftOutItself(step),
  children: step.children.map(leftOut),
})

/** Leaves out the step's own body only. */
export const leftOutItself = <Step extends StepDefinition>(step: Step): Step =>
  (step.requires_approval_from ?? []).length > 0 ? step : { ...step, skip_requested: true }

/** Removes the skip mask from a tree. */
export const unmasked = <Step extends Tree<Step>>(step: Step): Step => ({
  ...step,
  skip_requested: false,
  children: step.children.map(unmasked),
})
