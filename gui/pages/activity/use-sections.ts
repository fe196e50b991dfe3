import { useEffect, useMemo, useState } from 'react'
import { sluice } from '../../api/client.ts'
import { RangeLines } from '../../components/log-window/lines.ts'
import { SectionLines } from '../../components/log-window/section-lines.ts'
import { type Section, SectionRows } from '../../components/log-window/section-rows.ts'
import { addStreamed, lineRange, logOfStep, rangeQuery } from './log-source.ts'
import { hasFailed, isDone, type Steps } from './steps.ts'
import { type PartProps, useStepsVersion } from './use-activity.ts'
import { type LineCounts, useLineCounts } from './use-line-counts.ts'
import { useRunLineCounts } from './use-run-line-counts.ts'

/** Sections of a log: their rows, their lines, and which of them are open. */
export interface Sections {
  readonly lines: SectionLines
  readonly rows: SectionRows
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
  return useRows(part, { lines, counts, linked, isSection: () => true })
}

/** Sections of the log of a workflow run, one for each step that has made a change or a run, or has printed something itself. */
export function useRunSections(part: PartProps, linked: string | undefined): Sections {
  const lines = useSectionLines(part)
  const counts = useRunLineCounts(part, lines)
  const { steps } = part.live
  return useRows(part, { lines, counts, linked, isSection: id => steps.childrenOf(id).length === 0 })
}

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
  /** Step that the address names. */
  readonly linked: string | undefined
  /** Whether a step may have a section. */
  readonly isSection: (id: string) => boolean
}

/**
 * Rows of the sections. Those of running steps and of the first failed one are open until somebody opens or closes them, and
 * so is the one that the address names.
 */
function useRows({ live: { steps } }: PartProps, { lines, counts, linked, isSection }: RowsOptions): Sections {
  const stepsVersion = useStepsVersion(steps)
  const [toggled, setToggled] = useState<ReadonlyMap<string, boolean>>(new Map())
  const order = useMemo(() => inOrder(steps), [steps, steps.shape])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the versions say when steps and counts have changed.
  const rows = useMemo(() => {
    const firstFailed = order.find(id => isFailedLeaf(steps, id))
    const sections: Section[] = []
    for (const id of order) {
      if (!isSection(id)) continue
      const count = counts.of?.(id) ?? 0
      const isRunning = steps.get(id)!.attributes.status_code === 'running' && steps.childrenOf(id).length === 0
      if (count === 0 && !isRunning) continue
      sections.push({ id, lines: count, isOpen: toggled.get(id) ?? (isRunning || id === firstFailed || id === linked) })
    }
    return new SectionRows(sections)
  }, [order, stepsVersion, counts.version, toggled, linked])
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

/** All steps from the top of the tree, parents before their children. */
function inOrder(steps: Steps): string[] {
  const order: string[] = []
  for (const pending = steps.roots.toReversed(); pending.length > 0; ) {
    const id = pending.pop()!
    order.push(id)
    pending.push(...steps.childrenOf(id).toReversed())
  }
  return order
}

const isFailedLeaf = (steps: Steps, id: string): boolean =>
  hasFailed(steps.get(id)!) && !steps.childrenOf(id).some(child => hasFailed(steps.get(child)!))
