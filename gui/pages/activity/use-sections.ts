import { useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import { sluice } from '../../api/client.ts'
import { RangeLines } from '../../components/log-window/lines.ts'
import { SectionLines } from '../../components/log-window/section-lines.ts'
import { SectionRows } from '../../components/log-window/section-rows.ts'
import { addStreamed, lineRange, logOfStep, rangeQuery } from './log-source.ts'
import { NestedRuns } from './nested-runs.ts'
import { type OpenRun, sectionsOf } from './run-sections.ts'
import { isDone } from './steps.ts'
import { type PartProps, useStepsVersion } from './use-activity.ts'
import { type LineCounts, useLineCounts } from './use-line-counts.ts'
import { useLinkedRuns, useNestedTrees } from './use-nested-trees.ts'
import { useRunLineCounts } from './use-run-line-counts.ts'

/** Sections of a log: their rows, their lines, and which of them are open. */
export interface Sections {
  readonly lines: SectionLines
  readonly rows: SectionRows
  /** Steps of the activity and of the runs that they have started, as far as these are read. */
  readonly steps: NestedRuns
  /** Number of lines of a step, with those of the run that it has started. */
  readonly countOf: (id: string) => number
  /** Runs whose steps have sections of their own. */
  readonly openRuns: readonly OpenRun[]
  readonly toggle: (id: string, isOpen: boolean) => void
  /** Keeps open what is open, also after its step has ended. */
  readonly pinOpen: () => void
  readonly isReading: boolean
  readonly error: unknown
  readonly retry: () => void
}

/** Sections of the log of a change, one for each step that prints. */
export function useChangeSections(part: PartProps, linked: string | undefined): Sections {
  const lines = useSectionLines(part)
  const counts = useLineCounts(part, messages => {
    for (const message of messages) {
      const [first] = message.data as readonly { attributes: { step_id?: string | null } }[]
      const id = first?.attributes.step_id
      const log = id ? lines.logOf(id) : undefined
      if (id && log) addStreamed(log, logOfStep(part.kind, id), [message])
    }
  })
  const steps = useMemo(() => new NestedRuns(part.live.steps), [part.live.steps])
  return useRows(part, { lines, counts, steps, linked: linkedTo(linked), isSection: () => true })
}

/**
 * Sections of the log of a workflow run, one for each step that has made a change, or has printed something itself; those of
 * a nested run are below the step that has started it.
 */
export function useRunSections(part: PartProps, linked: string | undefined): Sections {
  const lines = useSectionLines(part)
  const steps = useMemo(() => new NestedRuns(part.live.steps), [part.live.steps])
  const counts = useRunLineCounts(part, lines, steps)
  const above = useLinkedRuns(part, linked, steps)
  const sections = useRows(part, {
    lines,
    counts,
    steps,
    linked: useMemo(() => [...linkedTo(linked), ...above], [linked, above]),
    isSection: id => steps.childrenOf(id).length === 0,
  })
  useNestedTrees(steps, sections.openRuns)
  return sections
}

const linkedTo = (linked: string | undefined): readonly string[] => (linked === undefined ? [] : [linked])

/** Logs of the steps of an activity, read as they come into sight. */
function useSectionLines({ kind, record }: PartProps): SectionLines {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the logs of another activity are others.
  const lines = useMemo(
    () =>
      new SectionLines(id => {
        const subject = logOfStep(kind, id)
        return new RangeLines(async (from, count, stop) => {
          const path = `${subject.path}?${rangeQuery(subject, from, count)}`
          const answer = await sluice().raw(path, { accept: 'application/x-ndjson', stop })
          return lineRange(from, answer.headers.get('content-range'), await answer.text())
        })
      }),
    [kind, record.id],
  )
  useEffect(() => () => lines.pause(), [lines])
  return lines
}

interface RowsOptions {
  readonly lines: SectionLines
  readonly counts: LineCounts
  readonly steps: NestedRuns
  /** Steps that the address names. */
  readonly linked: readonly string[]
  /** Whether a step may have a section. */
  readonly isSection: (id: string) => boolean
}

/** Rows of the sections. */
function useRows({ live }: PartProps, { lines, counts, steps, linked, isSection }: RowsOptions): Sections {
  const stepsVersion = useStepsVersion(live.steps)
  const nestedVersion = useSyncExternalStore(steps.listen, () => steps.version)
  const [toggled, setToggled] = useState<ReadonlyMap<string, boolean>>(new Map())
  const countOf = (id: string) => counts.of?.(id) ?? 0
  const linkedKey = linked.join()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the versions say when steps and counts have changed.
  const { rows, openRuns } = useMemo(() => {
    const { sections, openRuns } = sectionsOf(steps, { toggled, linked, isSection, countOf })
    return { rows: new SectionRows(sections), openRuns }
  }, [steps, stepsVersion, nestedVersion, counts.version, toggled, linkedKey])
  lines.rows = rows
  // Logs that were read before know of no lines behind their end, which they are to be asked for.
  useEffect(() => {
    for (const { id, lines: total } of rows.sections) {
      const log = lines.logOf(id)
      if (log && (log.count ?? 0) < total) log.put({ from: 0, lines: [], total })
    }
  }, [lines, rows])

  return {
    lines,
    rows,
    steps,
    countOf,
    openRuns,
    toggle: (id, isOpen) => setToggled(new Map(toggled).set(id, isOpen)),
    pinOpen: () => {
      const open = rows.sections.filter(({ id, isOpen }) => isOpen && !isDone(steps.get(id)!))
      if (open.length > 0) setToggled(new Map([...toggled, ...open.map(({ id }) => [id, true] as const)]))
    },
    isReading: !counts.of && !counts.error,
    error: counts.of ? undefined : counts.error,
    retry: counts.retry,
  }
}
