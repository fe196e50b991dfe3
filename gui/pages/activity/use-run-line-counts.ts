import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { isFinal, type LiveMessage, type Resource } from '#client/sluice.ts'
import type { SectionLines } from '../../components/log-window/section-lines.ts'
import { useStream } from '../../live/use-stream.ts'
import { wholeLog } from './log-source.ts'
import type { NestedRuns } from './nested-runs.ts'
import { isDone } from './steps.ts'
import type { PartProps } from './use-activity.ts'
import { type LineCounts, useStepTree } from './use-line-counts.ts'

/** Milliseconds between two reads of the ends of the sections in sight, and of the numbers of lines of all. */
const pauses = { ends: 1_000, tree: 2_000 }

/**
 * Numbers of lines of what the steps of a workflow run have made. The stream of the run's log tells which sections have new
 * lines, but not where in them: the ends of those in sight are read again at once, and the numbers of lines of the others from
 * the tree (ADR 131).
 */
export function useRunLineCounts(part: PartProps, lines: SectionLines, steps: NestedRuns): LineCounts {
  const { kind, record } = part
  const isLive = !isFinal(record.attributes.status_code)
  const { data, dataUpdatedAt, error, refetch } = useStepTree(part)
  const [version, setVersion] = useState(0)
  /** Sections with new lines. */
  const news = useRef(new Set<string>())
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])

  const read = useEffectEvent(() => {
    const isTreeDue = Date.now() - dataUpdatedAt >= pauses.tree
    let isTreeWanted = false
    for (const id of [...news.current]) {
      const isInSight = lines.isWanted(id)
      if (!isInSight && !isTreeDue) continue
      news.current.delete(id)
      if (isInSight) void lines.logOf(id)?.readTail()
      else isTreeWanted = true
    }
    if (isTreeWanted) void refetch()
  })
  const schedule = useEffectEvent(() => {
    if (timer.current !== undefined || news.current.size === 0) return
    read()
    timer.current = setTimeout(() => {
      timer.current = undefined
      schedule()
    }, pauses.ends)
  })
  const handlers = {
    onMessages: (messages: readonly LiveMessage[]) => {
      for (const message of messages)
        if (message.kind === 'log_lines') for (const id of sectionsOf(message, steps)) news.current.add(id)
      schedule()
    },
    onRestart: () => {
      void refetch()
      for (const { id } of lines.rows.sections) if (lines.isWanted(id)) news.current.add(id)
      schedule()
    },
  }
  useStream(isLive ? `${wholeLog(kind, record.id).path}/live` : undefined, handlers, { tail: 0 })
  // The places of lines are final once all steps have ended.
  const wasLive = useRef(isLive)
  useEffect(() => {
    if (wasLive.current && !isLive)
      for (const { id } of lines.rows.sections) {
        lines.logOf(id)?.invalidate(0)
        if (lines.isWanted(id)) void lines.logOf(id)?.readTail()
      }
    wasLive.current = isLive
  }, [isLive, lines])

  // Both the tree and the reads of a section tell how long it is: the longer one is the newer.
  useEffect(
    () =>
      lines.listen(() => {
        const hasGrown = lines.rows.sections.some(({ id, lines: known }) => (lines.logOf(id)?.count ?? 0) > known)
        if (hasGrown) setVersion(before => before + 1)
      }),
    [lines],
  )
  return {
    of: data && (id => Math.max(data.lines.get(id) ?? steps.linesOf(id) ?? 0, lines.logOf(id)?.count ?? 0)),
    error,
    retry: () => void refetch(),
    version: version + dataUpdatedAt,
  }
}

/** Section of the lines of a message; a run that a step has started may have written them, and then all such sections. */
function sectionsOf({ data }: LiveMessage, steps: NestedRuns): readonly string[] {
  const [line] = data as readonly Resource<{ workflow_step_id?: string | null; change_id?: string | null }>[]
  const { workflow_step_id: writer, change_id: change } = line?.attributes ?? {}
  if (writer && steps.get(writer)) return [writer]
  const creator = change ? steps.creatorOf(change) : undefined
  if (creator) return [creator.id]
  const ofRuns = [...steps.all()].filter(step => step.attributes.step_type === 'workflow' && !isDone(step))
  return ofRuns.length > 0 ? ofRuns.map(({ id }) => id) : [unknown]
}

/** In place of a section that the page does not know yet, so that the tree is read again. */
const unknown = ''
