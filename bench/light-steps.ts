/**
 * Actions of a repository: `many` runs `steps` light steps in sequence, each of them `one`, a program that does
 * nothing.
 */
export const lightSteps = (steps: number): string => `
import { action } from '@sluice/actions'
const one = action('one', {}, () => {})
action('many', { steps: Array.from({ length: ${steps} }, () => one) })
`

/** Settings of a service that runs `changes` changes at once, all of them of one action on one asset. */
export const manyAtOnce = (changes: number): Record<string, string> => ({
  SERVICE_OVERRIDE_CONCURRENT__RUNNER_LIMIT: String(changes),
  SERVICE_OVERRIDE_ALLOW_PARALLEL__CHANGES: 'true',
  SERVICE_OVERRIDE_ALLOW_PARALLEL__RUNS_OF_SAME_CHANGE: 'true',
})
