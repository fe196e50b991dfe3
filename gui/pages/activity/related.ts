import type { Resource } from '../../api/records.ts'

/** Ids that a relationship of a record names. */
export function relatedIds({ relationships }: Pick<Resource, 'relationships'>, name: string): readonly string[] {
  const related = relationships?.[name]?.data
  return related ? [related].flat().map(({ id }) => id) : []
}

/** Decision on a step: who, and why. */
export interface MadeDecision {
  readonly username: string
  readonly message?: string
}

/** Decisions in the attributes `approved_by` and `rejected_by`. */
export const decisionsIn = (decisions: unknown): readonly MadeDecision[] =>
  Array.isArray(decisions) ? (decisions as MadeDecision[]) : []

/** Whether a document has something to show. */
export const isEmptyDocument = (value: unknown): boolean =>
  value === null || value === undefined || (typeof value === 'object' && Object.keys(value).length === 0)
