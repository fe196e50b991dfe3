/** Values and rules of workflow runs: no database, no clock. */

/** The path on which running, cancelling and retrying a workflow is asked. */
export const runPath = (projectPath: string, code: string): string => `${projectPath}/workflows/${code}`

/** What "the same name" compares: the workflow. */
export const nameOfRun = (projectPath: string, code: string): string => `workflow ${projectPath} ${code}`

export const sealedOfRun = ['property_overrides', 'notify'] as const

/** What a sealed document of a run is bound to, so that it cannot be taken for another's. */
export const runAad = (id: string, which: (typeof sealedOfRun)[number]): string => `workflow_runs:${id}:${which}`

/** The same for what a step makes. */
export const makingAad = (stepId: string): string => `workflow_steps:${stepId}:making`

/** A run that lies beneath so many others is the deepest. */
export const deepest = 16
