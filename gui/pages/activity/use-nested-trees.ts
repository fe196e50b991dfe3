import { useQueries, useQuery } from '@tanstack/react-query'
import { useLayoutEffect } from 'react'
import { sluice } from '../../api/client.ts'
import { recordKey } from '../../api/keys.ts'
import { kinds } from './activity-kind.ts'
import type { NestedRuns } from './nested-runs.ts'
import { relatedIds } from './related.ts'
import type { OpenRun } from './run-sections.ts'
import { stepTreeOptions } from './step-tree-query.ts'
import { isDone } from './steps.ts'
import type { PartProps } from './use-activity.ts'

/** Milliseconds between two reads of the steps of a run that goes on. */
const pause = 2_000

/** Reads the steps of nested runs that are open, again while these go on, and once more when they have ended. */
export function useNestedTrees(steps: NestedRuns, runs: readonly OpenRun[]): void {
  const trees = useQueries({
    queries: runs.map(({ creator, run }) => {
      const creating = steps.get(creator)
      const isOver = creating !== undefined && isDone(creating)
      return {
        ...stepTreeOptions(kinds.workflow_run, run),
        queryKey: recordKey(`${kinds.workflow_run.path(run)}/tree`, { ended: isOver }),
        refetchInterval: isOver ? (false as const) : pause,
      }
    }),
  })
  useLayoutEffect(() => {
    for (const [i, { creator }] of runs.entries()) {
      const tree = trees[i]
      if (tree?.data) steps.put(creator, tree.data)
      else if (tree?.isError) steps.giveUp(creator)
    }
  }, [steps, runs, trees])
}

/** Maximum nesting of runs. */
const deepest = 16

const none: readonly string[] = []

/** Steps that have started the nested runs that a step of the address is in; none for a step of the activity itself. */
export function useLinkedRuns(
  { record, live }: PartProps,
  linked: string | undefined,
  steps: NestedRuns,
): readonly string[] {
  const isUnknown = linked !== undefined && !live.isReadingSteps && steps.get(linked) === undefined
  const reading = useQuery({
    queryKey: recordKey(`runs above the step ${linked} in ${record.id}`),
    queryFn: () => creatorsAbove(linked!, record.id),
    enabled: isUnknown,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  })
  return reading.data ?? none
}

async function creatorsAbove(step: string, activity: string): Promise<readonly string[]> {
  const creators: string[] = []
  for (let at: string | undefined = step; at !== undefined && creators.length <= deepest; ) {
    const [run] = relatedIds(await sluice().show(kinds.workflow_run.stepPath(at)), 'workflow_run')
    if (run === undefined) return none
    if (run === activity) return creators
    ;[at] = relatedIds(await sluice().show(kinds.workflow_run.path(run)), 'parent_step')
    if (at !== undefined) creators.push(at)
  }
  return none
}
