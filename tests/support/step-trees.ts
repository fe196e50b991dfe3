import type { StepDefinition } from '../../src/domain/steps/index.ts'

/** A step of a test's tree: by default one with a body. */
export const step = (name: string, over: Partial<StepDefinition> = {}): StepDefinition => ({
  action: name,
  step_name: name,
  description: null,
  step_type: 'standard',
  child_execution_strategy: 'sequential',
  ignore_failure: false,
  definition: { bodies: [{ run: name }] },
  children: [],
  ...over,
})

/** A group; parallel if given. */
export const stage = (name: string, children: StepDefinition[], over: Partial<StepDefinition> = {}): StepDefinition =>
  step(name, { action: null, step_type: 'stage', definition: null, children, ...over })

export const wait = (name: string, over: Partial<StepDefinition> = {}): StepDefinition =>
  step(name, { action: null, step_type: 'wait', definition: null, ...over })
