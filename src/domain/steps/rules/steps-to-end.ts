import type { StepNow } from './next-moves.ts'

/**
 * Steps that a cancel or a rejection ends at once: every unfinished step, except those whose body runs and the groups
 * above them, which end once the body is known to have ended.
 */
export function stepsToEnd<Step extends Pick<StepNow, 'id' | 'parent_id' | 'status' | 'body'>>(
  unfinished: readonly Step[],
): Step[] {
  const parents = new Map(unfinished.map(step => [step.id, step.parent_id]))
  const kept = new Set<string>()
  for (const step of unfinished.filter(each => each.status === 'running' && each.body === 'open')) {
    for (let id: string | null | undefined = step.id; id && !kept.has(id); id = parents.get(id)) kept.add(id)
  }
  return unfinished.filter(step => !kept.has(step.id))
}
