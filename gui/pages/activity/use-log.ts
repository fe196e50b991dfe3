import { useEffect, useEffectEvent, useMemo, useRef } from 'react'
import { isFinal } from '#client/sluice.ts'
import { sluice } from '../../api/client.ts'
import { RangeLines } from '../../components/log-window/lines.ts'
import { addStreamed, type LogSubject, lineRange, rangeQuery } from './log-source.ts'
import type { PartProps } from './use-activity.ts'

/** Milliseconds between reads of the end of a log whose lines the stream does not place. */
const pollEvery = 1_000

/** Log of the chosen step, or of the whole activity. */
export function useLogSubject({ kind, record, live }: PartProps, step: string | undefined): LogSubject {
  const chosen = step === undefined ? undefined : live.steps.get(step)
  const hasChildren = chosen !== undefined && live.steps.childrenOf(chosen.id).length > 0
  const isOfChange = kind.type === 'change'
  const { id } = record
  return useMemo(() => {
    if (step === undefined)
      return { path: `${kind.path(id)}/log`, query: {}, follows: isOfChange ? 'change' : 'polled' }
    const query: Record<string, string> = isOfChange && hasChildren ? { include_child_steps: 'true' } : {}
    return {
      path: `${kind.stepPath(step)}/log`,
      query,
      follows: isOfChange && !hasChildren ? 'step' : 'polled',
      stepId: step,
    }
  }, [kind, id, step, isOfChange, hasChildren])
}

/** Lines of a log, read as they come into sight and added as the stream reports them. */
export function useLogLines(subject: LogSubject, { record, live }: PartProps, readsTail: boolean): RangeLines {
  const lines = useMemo(
    () =>
      new RangeLines(async (from, count, stop) => {
        const path = `${subject.path}?${rangeQuery(subject, from, count)}`
        const answer = await sluice().raw(path, { accept: 'application/x-ndjson', stop })
        return lineRange(from, answer.headers.get('content-range'), await answer.text())
      }),
    [subject],
  )
  const { logNews } = live
  const isLive = !isFinal(record.attributes.status_code)

  const readFirst = useEffectEvent(() => {
    if (readsTail) void lines.readTail()
    else lines.want(0, 1)
  })
  useEffect(() => {
    // The window asks for what is in sight as soon as the length is known.
    if (lines.count === undefined) readFirst()
    return () => lines.pause()
  }, [lines])

  useEffect(() => {
    if (!isLive) return
    let timer: ReturnType<typeof setTimeout> | undefined
    const readEnd = () => {
      timer ??= setTimeout(() => {
        timer = undefined
        void lines.readTail()
      }, pollEvery)
    }
    const stop = logNews.listen(messages => {
      if (addStreamed(lines, subject, messages)) readEnd()
    })
    // Lines of the changes of a run are in no stream of the run.
    const polling = subject.follows === 'polled' ? setInterval(readEnd, pollEvery) : undefined
    return () => {
      stop()
      clearTimeout(timer)
      clearInterval(polling)
    }
  }, [isLive, lines, subject, logNews])

  const wasLive = useRef(isLive)
  useEffect(() => {
    if (isLive || !wasLive.current) return
    // The places of lines are final once all steps have ended.
    if (subject.follows === 'polled') lines.invalidate(0)
    void lines.readTail()
  }, [isLive, lines, subject])
  return lines
}
