import type { Section } from '../../components/log-window/section-rows.ts'
import type { NestedRuns } from './nested-runs.ts'
import { hasFailed } from './steps.ts'

/** Runs of running steps that are open from the beginning: each of them is read every other second. */
const mostOpen = 10

interface Choice {
  /** Sections that somebody has opened or closed. */
  readonly toggled: ReadonlyMap<string, boolean>
  /** Steps that the address names: one, and those that have started the runs that it is in. */
  readonly linked: readonly string[]
  /** Whether a step may have a section. */
  readonly isSection: (id: string) => boolean
  readonly countOf: (id: string) => number
}

/** Run that is open, by the step that has started it. */
export interface OpenRun {
  readonly creator: string
  readonly run: string
}

/**
 * Sections of a log in the order of the steps. A step that has started a workflow run has a header of its own, and the
 * sections of the steps of this run below it while it is open; closed, it has all of their lines. Sections of running
 * steps and of the first failed one are open, and so are the one that the address names, and that of the only step of a run.
 */
export function sectionsOf(
  steps: NestedRuns,
  { toggled, linked, isSection, countOf }: Choice,
): { readonly sections: readonly Section[]; readonly openRuns: readonly OpenRun[] } {
  const firstFailed = firstFailedStep(steps, steps.roots)
  const failedPath = new Set(firstFailed === undefined ? [] : [firstFailed, ...steps.ancestorsOf(firstFailed)])
  const sections: Section[] = []
  const openRuns: OpenRun[] = []
  let running = 0
  const add = (id: string, isOnly: boolean): void => {
    const run = steps.runOf(id)
    const children = steps.childrenOf(id)
    const isLeaf = run !== undefined || children.length === 0
    const lines = countOf(id)
    const isRunning = isLeaf && steps.get(id)!.attributes.status_code === 'running'
    const isShown = (isSection(id) || isLeaf) && (lines > 0 || isRunning)
    if (run !== undefined && isRunning) running += 1
    const isFirst = isRunning && (run === undefined || running <= mostOpen)
    const isFailed = run === undefined ? id === firstFailed : failedPath.has(id)
    const isOpen = toggled.get(id) ?? (isOnly || isFirst || isFailed || linked.includes(id))
    if (isShown) sections.push({ id, lines: run !== undefined && isOpen ? 0 : lines, isOpen })
    if (run === undefined) for (const child of children) add(child, isOnly)
    else if (isShown && isOpen) {
      openRuns.push({ creator: id, run })
      for (const child of children) add(child, hasOneStep(steps, child))
    }
  }
  for (const root of steps.roots) add(root, false)
  return { sections, openRuns }
}

/** Whether only one step without steps below it is in a tree. */
function hasOneStep(steps: NestedRuns, id: string): boolean {
  const children = steps.runOf(id) === undefined ? steps.childrenOf(id) : []
  return children.length === 0 || (children.length === 1 && hasOneStep(steps, children[0]!))
}

/** The first failed step that has no failed step below it. */
function firstFailedStep(steps: NestedRuns, ids: readonly string[]): string | undefined {
  for (const id of ids) {
    const below = firstFailedStep(steps, steps.childrenOf(id))
    if (below !== undefined) return below
    if (hasFailed(steps.get(id)!)) return id
  }
  return undefined
}
