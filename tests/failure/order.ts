import type { Seen } from './witness.ts'

/** A step in its tree. */
export interface Placed {
  readonly id: string
  readonly activity_id: string
  readonly full_path: string
  readonly parent_id: string | null
  readonly position: number
  readonly child_execution_strategy: string
  /** The change or run that a step of a workflow run has created. */
  readonly made_id: string | null
}

/** Lines of the witness in which a step first and last appeared. */
interface Span {
  readonly first: number
  readonly last: number
}

/**
 * Steps that began too early: before the previous one in a sequence had ended, or before the body of the parent had.
 * The child of a step of a workflow run counts as below it.
 */
export function outOfOrder(steps: readonly Placed[], witness: readonly Seen[]): string[] {
  const own = new Map<string, Span>()
  for (const [at, { step }] of witness.entries()) own.set(step, { first: own.get(step)?.first ?? at, last: at })
  const childrenOf = Map.groupBy(
    steps.toSorted((a, b) => a.position - b.position),
    ({ parent_id, activity_id }) => parent_id ?? activity_id,
  )
  const children = ({ id, made_id }: Placed) => [
    ...(childrenOf.get(id) ?? []),
    ...(childrenOf.get(made_id ?? '') ?? []),
  ]
  const spans = new Map<string, Span | undefined>()
  const spanOf = (step: Placed): Span | undefined => {
    if (!spans.has(step.id)) spans.set(step.id, around([own.get(step.id), ...children(step).map(spanOf)]))
    return spans.get(step.id)
  }
  const early = (later: Placed, earlier: Placed) =>
    `${later.full_path} of ${later.activity_id} began before ${earlier.full_path} of ${earlier.activity_id} had ended`
  return steps.flatMap(step => {
    const below = children(step)
    const body = own.get(step.id)
    const before = body ? below.filter(child => (spanOf(child)?.first ?? Infinity) < body.last) : []
    const turns = step.child_execution_strategy === 'sequential' ? below : []
    const pairs = turns.flatMap((later, at) => turns.slice(0, at).map(earlier => [later, earlier] as const))
    const crossed = pairs.filter(
      ([later, earlier]) => (spanOf(later)?.first ?? Infinity) < (spanOf(earlier)?.last ?? -1),
    )
    return [...before.map(child => early(child, step)), ...crossed.map(([later, earlier]) => early(later, earlier))]
  })
}

function around(spans: readonly (Span | undefined)[]): Span | undefined {
  const seen = spans.filter(span => span !== undefined)
  if (seen.length === 0) return undefined
  return { first: Math.min(...seen.map(({ first }) => first)), last: Math.max(...seen.map(({ last }) => last)) }
}
