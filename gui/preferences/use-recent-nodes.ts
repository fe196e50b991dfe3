import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { Refused } from '#client/sluice.ts'
import { useMe } from '../api/session.tsx'
import { inOrder, savePreferences, usePreferences } from './preferences.ts'
import { mergedVisits, newestOf, visitsIn, visitsPatch } from './recent-nodes.ts'
import { addVisit, removeSaved, unsavedVisits, useUnsavedVisits } from './unsaved-visits.ts'

/** Milliseconds between writes to the service; visits in between are written together. */
const pause = 15_000

/** Paths of the nodes that the user looked at last, the newest first; undefined until the preferences are read. */
export function useRecentNodes(): string[] | undefined {
  const unsaved = useUnsavedVisits(useMe().id)
  const preferences = usePreferences()
  return preferences && newestOf(mergedVisits(visitsIn(preferences.recent_nodes), unsaved))
}

/** Records that the user looks at a node. */
export function useVisit(path: string): void {
  const userId = useMe().id
  useEffect(() => addVisit(userId, path), [userId, path])
}

/** Function that writes the visits that the service does not have yet. */
export function useSaveVisits(): { save: () => Promise<void>; error: unknown } {
  const cache = useQueryClient()
  const userId = useMe().id
  const stored = usePreferences()?.recent_nodes
  const { mutateAsync, error } = useMutation({
    ...inOrder,
    mutationFn: async () => {
      const visits = unsavedVisits(userId)
      const patch = visitsPatch(visitsIn(stored), visits)
      if (Object.keys(patch).length > 0) await savePreferences(cache, { recent_nodes: patch })
      removeSaved(userId, visits)
    },
  })
  return { save: mutateAsync, error }
}

/**
 * Writes visits while the shell is shown: together, some seconds after the first one, and when the page is hidden. What
 * could not be written stays in the browser and is tried again, also by its next page; nobody waits for it, so nothing
 * is shown.
 */
export function useVisitSaver(): void {
  const hasVisits = Object.keys(useUnsavedVisits(useMe().id)).length > 0
  const { save, error } = useSaveVisits()
  const attempt = useEffectEvent(() => void save().catch(() => undefined))
  // A refusal, such as the end of the session, is not asked for again and again.
  const repeats = hasVisits && !(error instanceof Refused)
  useEffect(() => {
    if (!repeats) return
    const timer = setInterval(attempt, pause)
    return () => clearInterval(timer)
  }, [repeats])
  useEffect(() => {
    if (!hasVisits) return
    const onHide = () => {
      if (document.visibilityState === 'hidden') attempt()
    }
    document.addEventListener('visibilitychange', onHide)
    return () => document.removeEventListener('visibilitychange', onHide)
  }, [hasVisits])
}
