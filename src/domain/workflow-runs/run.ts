/** Values and rules of workflow runs: no database, no clock. */

/** Path of the rights to run, cancel and retry a workflow. */
export const runPath = (projectPath: string, code: string): string => `${projectPath}/workflows/${code}`

/** Name by which runs queue: the workflow. */
export const nameOfRun = (projectPath: string, code: string): string => `workflow ${projectPath} ${code}`

export const sealedOfRun = ['property_overrides', 'notify'] as const

/** Associated data of an encrypted document of a run, so that it cannot pass for another's. */
export const runAad = (id: string, which: (typeof sealedOfRun)[number]): string => `workflow_runs:${id}:${which}`

/** Associated data of a step's making. */
export const makingAad = (stepId: string): string => `workflow_steps:${stepId}:making`

/** Maximum nesting depth of runs. */
export const deepest = 16
