import { useMemo, useState } from 'react'
import type { TreeRow } from '../../components/tree/tree-rows.ts'
import { stepRows, withAncestors } from './step-rows.ts'
import { hasFailed, isDone, type Steps, stepName } from './steps.ts'
import { useStepsVersion } from './use-activity.ts'

/** Groups with more steps than these are closed at first. */
const mostOpen = 200

interface RowsOptions {
  /** Text that the names contain. */
  readonly filter: string
  readonly isUnfinishedOnly: boolean
  readonly selected: string | undefined
}

/** Rows of the tree of steps. Large groups are closed at first, unless a step in them has failed or is selected. */
export function useStepRows(
  steps: Steps,
  { filter, isUnfinishedOnly, selected }: RowsOptions,
): { readonly rows: readonly TreeRow<string>[]; readonly toggle: (id: string, isOpen: boolean) => void } {
  const version = useStepsVersion(steps)
  const [toggled, setToggled] = useState<ReadonlyMap<string, boolean>>(new Map())
  const wanted = filter.trim().toLowerCase()
  const isFiltered = wanted !== '' || isUnfinishedOnly
  // Without a filter, rows change with the shape of the tree and with failures only, not with every step that moves.
  const failures = [...steps.all()].filter(hasFailed).length
  const changes = isFiltered ? version : `${steps.shape} ${failures}`

  // biome-ignore lint/correctness/useExhaustiveDependencies: `changes` says when the steps have changed.
  const rows = useMemo(() => {
    const opened = new Set(selected === undefined ? [] : steps.ancestorsOf(selected))
    for (const step of steps.all()) if (hasFailed(step)) for (const id of steps.ancestorsOf(step.id)) opened.add(id)
    const shown = isFiltered
      ? withAncestors(steps, id => {
          const step = steps.get(id)!
          return stepName(step).toLowerCase().includes(wanted) && !(isUnfinishedOnly && isDone(step))
        })
      : undefined
    const isOpen = (id: string) =>
      toggled.get(id) ?? (wanted !== '' || opened.has(id) || steps.childrenOf(id).length <= mostOpen)
    return stepRows(steps, isOpen, shown && (id => shown.has(id)))
  }, [steps, changes, wanted, isFiltered, isUnfinishedOnly, selected, toggled])

  return { rows, toggle: (id, isOpen) => setToggled(new Map(toggled).set(id, isOpen)) }
}
