import { Refused } from '#client/sluice.ts'
import type { Problem } from '../../components/editor/problems.ts'

/** Error with its place in the definition. */
export interface PlacedProblem extends Problem {
  readonly column: number
}

/** Errors of a refused request that have a place in the definition, by their place. */
export const problemsOf = (error: unknown): PlacedProblem[] =>
  error instanceof Refused
    ? error.faults
        .flatMap(({ meta }) => placed(meta) ?? [])
        .toSorted((one, other) => one.line - other.line || one.column - other.column)
    : []

function placed(meta: Readonly<Record<string, unknown>> | undefined): PlacedProblem | undefined {
  const { line, column, message } = meta ?? {}
  return typeof line === 'number' && typeof column === 'number' && typeof message === 'string'
    ? { line, column, message }
    : undefined
}
