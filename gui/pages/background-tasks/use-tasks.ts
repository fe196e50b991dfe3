import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { isFinal } from '#client/sluice.ts'
import { recordKey } from '../../api/keys.ts'
import { type ListResult, useList } from '../../api/queries.ts'
import type { NodeBackgroundTask } from '../../api/records.ts'

/** Milliseconds between reads while a task is in progress, which no live stream reports, and otherwise. */
const whileOpen = 1_500
const atRest = 30_000

interface Tasks extends ListResult<NodeBackgroundTask> {
  /** Whether one of them is queued or running. */
  readonly isOpen: boolean
}

export const tasksPath = (path: string) => `/api${path}/node_background_tasks`

/** The newest background tasks of a node, of all template versions that it had; the node is read again when they end. */
export function useTasks(path: string): Tasks {
  const [isOpen, setIsOpen] = useState(false)
  const list = useList<'node_background_task'>(
    tasksPath(path),
    { limit: 20, all_versions: true, 'filter[sorts]': 'request_number desc' },
    { every: isOpen ? whileOpen : atRest },
  )
  const isAnyOpen = list.records.some(({ attributes }) => !isFinal(attributes.status_code))
  if (isAnyOpen !== isOpen) setIsOpen(isAnyOpen)
  const cache = useQueryClient()
  const wasOpen = useRef(isAnyOpen)
  useEffect(() => {
    if (wasOpen.current && !isAnyOpen) void cache.invalidateQueries({ queryKey: recordKey(`/api${path}`) })
    wasOpen.current = isAnyOpen
  }, [isAnyOpen, cache, path])
  return { ...list, isOpen: isAnyOpen }
}
