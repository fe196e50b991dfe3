import { useSyncExternalStore } from 'react'

/** Live streams of this tab that are not connected, each with when it was lost (milliseconds of Date.now). */
const lost = new Map<symbol, number>()
const listeners = new Set<() => void>()

/** Notes since when a stream is lost; undefined once it is connected again or no longer watched. */
export function noteLost(stream: symbol, since: number | undefined): void {
  if (lost.get(stream) === since) return
  if (since === undefined) lost.delete(stream)
  else lost.set(stream, since)
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

const earliest = (): number | undefined => (lost.size === 0 ? undefined : Math.min(...lost.values()))

/** Since when a live stream of the page is not connected; undefined while all are. */
export const useLostSince = (): number | undefined => useSyncExternalStore(subscribe, earliest)
