import { sluice } from '../../api/client.ts'
import type { ShownStep } from './preview.ts'
import { type PlacedProblem, problemsOf } from './problems.ts'

/** Outcome of a check: the steps of a valid definition, or its errors. */
export interface Check {
  readonly steps?: readonly ShownStep[]
  readonly problems: readonly PlacedProblem[]
}

interface Answer {
  readonly data: { readonly attributes: { readonly steps: readonly ShownStep[] } }
}

/**
 * Checks a definition as a run would read it now.
 *
 * @throws whatever is no error of the definition, such as a right that the user needs
 */
export async function checkSource(project: string, text: string): Promise<Check> {
  try {
    const answer = await sluice().send('POST', `/api/projects/${encodeURIComponent(project)}/workflows/validate`, {
      data: { attributes: { source_yaml: text } },
    })
    const { attributes } = (answer as unknown as Answer).data
    return { steps: attributes.steps, problems: [] }
  } catch (error) {
    const problems = problemsOf(error)
    if (problems.length === 0) throw error
    return { problems }
  }
}
