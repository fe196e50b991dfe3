import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useLayoutEffect, useState, useSyncExternalStore } from 'react'
import { isFinal, type LiveMessage } from '#client/sluice.ts'
import { sluice } from '../../api/client.ts'
import { listKey, recordKey } from '../../api/keys.ts'
import { isStatus } from '../../api/query-client.ts'
import type { Resource } from '../../api/records.ts'
import { useStream } from '../../live/use-stream.ts'
import { type ActivityKind, type ActivityRecord, activityFields, kinds } from './activity-kind.ts'
import { stepTreeOptions } from './step-tree-query.ts'
import { type StepRecord, Steps } from './steps.ts'

interface Found {
  readonly kind: ActivityKind
  readonly record: ActivityRecord
}

/** Key under which the activity of a page is cached. */
const activityKey = (id: string) => recordKey(`activity ${id}`)

/** Reads a change or a workflow run by its id; the address does not say which of the two it is. */
export function useActivity(id: string) {
  return useQuery({
    queryKey: activityKey(id),
    queryFn: async (): Promise<Found> => {
      try {
        const { change: kind } = kinds
        return { kind, record: await sluice().show(kind.path(id), activityFields.change) }
      } catch (error) {
        if (!isStatus(error, 404)) throw error
        const { workflow_run: kind } = kinds
        return { kind, record: await sluice().show(kind.path(id), activityFields.workflow_run) }
      }
    },
  })
}

/** Listeners to the log lines of an activity's stream. */
class LogNews {
  readonly #listeners = new Set<(messages: readonly LiveMessage[]) => void>()

  send(messages: readonly LiveMessage[]): void {
    for (const listener of this.#listeners) listener(messages)
  }

  readonly listen = (listener: (messages: readonly LiveMessage[]) => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }
}

interface LiveActivity {
  readonly steps: Steps
  readonly isReadingSteps: boolean
  readonly stepsError: unknown
  readonly retrySteps: () => void
  readonly logNews: LogNews
  /** Numbers of lines in the logs of steps, as far as the stream has reported them. */
  readonly streamedLines: ReadonlyMap<string, number>
}

/** What each part of the page is given. */
export interface PartProps extends Found {
  readonly live: LiveActivity
}

/** Reads the steps of an activity, and keeps them and its record current by its stream until it has ended. */
export function useLiveActivity({ kind, record }: Found): LiveActivity {
  const { id } = record
  const cache = useQueryClient()
  const [steps] = useState(() => new Steps())
  const [logNews] = useState(() => new LogNews())
  const [streamedLines] = useState(() => new Map<string, number>())
  const [isLive, setIsLive] = useState(!isFinal(record.attributes.status_code))
  const path = kind.path(id)
  const tree = stepTreeOptions(kind, id)
  const reading = useQuery(tree)
  useLayoutEffect(() => {
    if (reading.data) steps.put(reading.data.steps)
  }, [reading.data, steps])

  const onMessages = (messages: readonly LiveMessage[]) => {
    const moved = messages.filter(({ kind: type }) => type === kind.stepType).map(({ data }) => data as StepRecord)
    if (moved.length > 0) steps.put(moved)
    const lines = messages.filter(({ kind: type }) => type === 'log_lines')
    for (const message of lines) noteLines(streamedLines, message)
    if (lines.length > 0) logNews.send(lines)
    for (const { kind: type, data } of messages)
      if (type === kind.type)
        cache.setQueryData<Found>(activityKey(id), known => known && merged(known, data as ActivityRecord))
    if (moved.length > 0 || messages.some(({ kind: type }) => type === kind.type))
      void cache.invalidateQueries({ queryKey: recordKey(`${path}/waiting_reason`) })
    if (messages.some(({ kind: type }) => type === 'event'))
      void cache.invalidateQueries({ queryKey: listKey('/api/events') })
  }
  useStream(
    isLive ? `${path}/live` : undefined,
    {
      onMessages,
      onRestart: () => {
        void cache.invalidateQueries({ queryKey: activityKey(id) })
        void reading.refetch()
        logNews.send([])
      },
      onEnd: () => {
        setIsLive(false)
        void cache.invalidateQueries({ queryKey: activityKey(id) })
        void cache.invalidateQueries({ queryKey: listKey(`${path}/artefacts`) })
        // Read again by those who need what only the tree has.
        void cache.invalidateQueries({ queryKey: tree.queryKey, refetchType: 'none' })
      },
    },
    { log_lines: 0 },
  )
  return {
    steps,
    isReadingSteps: steps.size === 0 && (reading.isPending || (reading.data?.steps.length ?? 0) > 0),
    stepsError: reading.error,
    retrySteps: () => void reading.refetch(),
    logNews,
    streamedLines,
  }
}

/** Notes the number of lines of a step with those of a message, which names the place of the first one. */
function noteLines(counts: Map<string, number>, { data, meta }: LiveMessage): void {
  const lines = data as readonly Resource<{ step_id?: string | null }>[]
  const [step, first] = [lines[0]?.attributes.step_id, meta?.['step_line']]
  if (step && typeof first === 'number') counts.set(step, Math.max(counts.get(step) ?? 0, first + lines.length))
}

/** Record of the stream over the known one, unless that is newer. The stream leaves out what only shows have. */
function merged(known: Found, record: ActivityRecord): Found {
  if (known.record.attributes.updated_at > record.attributes.updated_at) return known
  const attributes = { ...known.record.attributes, ...record.attributes }
  return { ...known, record: { ...known.record, ...(record.meta && { meta: record.meta }), attributes } }
}

/** Renders again whenever steps change; returns the number of their changes. */
export const useStepsVersion = (steps: Steps): number => useSyncExternalStore(steps.listen, () => steps.version)
