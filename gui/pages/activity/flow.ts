import { isDone, type StepRecord, type Steps } from './steps.ts'

/** Step of the flow, with the steps in it unless these are too many to draw. */
export interface FlowStep {
  readonly step: StepRecord
  readonly children: readonly FlowStep[]
  /** Steps directly in it that are not drawn, counted by status; undefined if all are. */
  readonly hidden: ReadonlyMap<string, number> | undefined
}

/** Steps of a group that are drawn. */
const mostOfGroup = 40
/** Steps that are drawn in all. */
const mostInAll = 400

/**
 * Flow of an activity: its tree, with large groups cut to those that are not done, failed ones first, and the others
 * counted by status. Levels are drawn from the top, until there are as many steps as a page can show.
 */
export function flowOf(steps: Steps): FlowStep[] {
  const drawn = new Set<string>(steps.roots.slice(0, mostOfGroup))
  for (let level: readonly string[] = [...drawn]; level.length > 0; ) {
    const next = level.flatMap(id => chosenOf(steps, id))
    if (drawn.size + next.length > mostInAll) break
    for (const id of next) drawn.add(id)
    level = next
  }
  const build = (id: string): FlowStep => {
    const children = steps.childrenOf(id)
    const shown = children.filter(child => drawn.has(child))
    const rest = children.filter(child => !drawn.has(child))
    return {
      step: steps.get(id)!,
      children: shown.map(build),
      hidden: rest.length > 0 ? countByStatus(rest.map(child => steps.get(child)!)) : undefined,
    }
  }
  return steps.roots.filter(id => drawn.has(id)).map(build)
}

/** Steps of a group that are drawn: all of a small one, of a large one those that somebody has to look at first. */
function chosenOf(steps: Steps, id: string): readonly string[] {
  const children = steps.childrenOf(id)
  if (children.length <= mostOfGroup) return children
  const isOpen = (child: string) => {
    const step = steps.get(child)!
    return !isDone(step) || (step.attributes.status_code !== 'success' && step.attributes.status_code !== 'skipped')
  }
  return [...children.filter(isOpen), ...children.filter(child => !isOpen(child))].slice(0, mostOfGroup)
}

function countByStatus(steps: readonly StepRecord[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const {
    attributes: { status_code: status },
  } of steps)
    counts.set(status, (counts.get(status) ?? 0) + 1)
  return counts
}
