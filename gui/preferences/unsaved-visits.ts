import { useSyncExternalStore } from 'react'
import { mergedVisits, type Visits, visitsIn, withoutSaved } from './recent-nodes.ts'

/** Visits that the service does not have yet. The browser keeps them by user, so that a closed tab loses none. */

const keyOf = (userId: string): string => `sluice.visits.${userId}`
const listeners = new Set<() => void>()

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  // Other tabs.
  addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    removeEventListener('storage', listener)
  }
}

function parse(text: string | null): Visits {
  if (text === null) return {}
  try {
    return visitsIn(JSON.parse(text))
  } catch (error) {
    // Written by something else; the next visit replaces it.
    if (error instanceof SyntaxError) return {}
    throw error
  }
}

export const unsavedVisits = (userId: string): Visits => parse(localStorage.getItem(keyOf(userId)))

export const useUnsavedVisits = (userId: string): Visits =>
  parse(useSyncExternalStore(subscribe, () => localStorage.getItem(keyOf(userId))))

export const addVisit = (userId: string, path: string): void =>
  store(userId, mergedVisits(unsavedVisits(userId), { [path]: new Date().toISOString() }))

export const removeSaved = (userId: string, saved: Visits): void =>
  store(userId, withoutSaved(unsavedVisits(userId), saved))

function store(userId: string, visits: Visits): void {
  if (Object.keys(visits).length === 0) localStorage.removeItem(keyOf(userId))
  else localStorage.setItem(keyOf(userId), JSON.stringify(visits))
  for (const listener of listeners) listener()
}
