/** Limits of a workflow's size: what a person can still survey, and what one transaction can create for a run. */
export const workflowLimits = {
  bytes: 1_048_576,
  /** Steps of one run, counting each target of a change and each run of a nested workflow. */
  steps: 10_000,
  /** Stages within stages. */
  depth: 16,
  /** Targets of one change, runs of one nested workflow. */
  times: 1_000,
  errors: 1_000,
  /**
   * Maximum number of YAML tokens: words, marks, indents, ends of lines. A source of 1 MiB as people write it has
   * 300,000; one in which every other character is a token has a million, and took up to 48 s to read.
   */
  tokens: 400_000,
  /** Maximum number of Git revisions, each looked up by a process of its own. */
  revisions: 200,
  tooManySteps: 'The steps come to more than 10000, each target and each run of a workflow counted.',
  tooManyTokens:
    'The source holds more than 400000 tokens of YAML (words, marks, indents). Split it into several workflows.',
  tooManyRevisions: 'The steps name more than 200 revisions of Git.',
} as const

interface Sized {
  readonly children: readonly Sized[]
  readonly type: string
  readonly targets: readonly string[]
  readonly property_overrides: readonly unknown[]
}

/** Number of steps that a run of them creates. */
export const stepsSize = (steps: readonly Sized[]): number =>
  steps.reduce((sum, step) => sum + 1 + several(step) + stepsSize(step.children), 0)

/** Number of child steps under a step that runs several times. */
function several({ type, targets, property_overrides }: Sized): number {
  const times = type === 'workflow' ? property_overrides.length : targets.length
  return times > 1 ? times : 0
}
