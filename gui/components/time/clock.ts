import { useSyncExternalStore } from 'react'

/** One clock for the whole page, so that all durations tick together. It stands still while the page is hidden. */

const listeners = new Set<() => void>()
let now = Date.now()
let timer: ReturnType<typeof setInterval> | undefined

function tick(): void {
  if (document.visibilityState === 'hidden') return
  now = Date.now()
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  if (!timer) {
    now = Date.now()
    timer = setInterval(tick, 1_000)
    document.addEventListener('visibilitychange', tick)
  }
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
    document.removeEventListener('visibilitychange', tick)
  }
}

const idle = () => () => {}

/** Milliseconds of Date.now, renewed every second while `ticking`. */
export const useNow = (ticking = true): number => useSyncExternalStore(ticking ? subscribe : idle, () => now)
