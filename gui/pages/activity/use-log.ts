import { useEffect, useEffectEvent, useMemo, useRef } from 'react'
import { isFinal, type LiveMessage } from '#client/sluice.ts'
import { sluice } from '../../api/client.ts'
import { RangeLines } from '../../components/log-window/lines.ts'
import { useStream } from '../../live/use-stream.ts'
import { addStreamed, type LogSubject, lineRange, logOfStep, rangeQuery, wholeLog } from './log-source.ts'
import type { PartProps } from './use-activity.ts'

/** Milliseconds until the end of a log is read again, after messages that do not say where their lines belong. */
const pause = 1_000

/** Log of the chosen step, or of the whole activity. */
export function useLogSubject({ kind, record, live }: PartProps, step: string | undefined): LogSubject {
  const chosen = step === undefined ? undefined : live.steps.get(step)
  const hasChildren = chosen !== undefined && live.steps.childrenOf(chosen.id).length > 0
  const isOfChange = kind.type === 'change'
  const { id } = record
  return useMemo(() => {
    if (step === undefined) return wholeLog(kind, id)
    const ofOne = logOfStep(kind, step)
    if (!isOfChange) return { ...ofOne, follows: 'own' }
    return hasChildren ? { ...ofOne, query: { include_child_steps: 'true' }, follows: 'own' } : ofOne
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

  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const onMessages = (messages: readonly LiveMessage[]) => {
    if (!addStreamed(lines, subject, messages)) return
    timer.current ??= setTimeout(() => {
      timer.current = undefined
      void lines.readTail()
    }, pause)
  }
  const onNews = useEffectEvent(onMessages)
  const hasOwn = subject.follows === 'own'
  useEffect(
    () => (isLive && !hasOwn ? logNews.listen(messages => onNews(messages)) : undefined),
    [isLive, hasOwn, logNews],
  )
  // The places of lines are final once all steps have ended.
  const readAgain = () => {
    if (hasOwn) lines.invalidate(0)
    void lines.readTail()
  }
  const path = isLive && hasOwn ? `${subject.path}/live` : undefined
  const onOwn = (messages: readonly LiveMessage[]) => {
    const news = messages.filter(({ kind }) => kind === 'log_lines')
    if (news.length > 0) onMessages(news)
  }
  const handlers = { onMessages: onOwn, onRestart: () => void lines.readTail(), onEnd: readAgain }
  useStream(path, handlers, { ...subject.query, tail: 0 })

  const wasLive = useRef(isLive)
  const end = useEffectEvent(readAgain)
  useEffect(() => {
    if (!isLive && wasLive.current) end()
    wasLive.current = isLive
  }, [isLive])
  return lines
}
