/** Whether long lines of logs are wrapped, kept in this browser. */

const key = 'sluice.log-wrap'
const listeners = new Set<() => void>()

export const wrapsLogLines = (): boolean => localStorage.getItem(key) === 'on'

export function setWrapsLogLines(on: boolean): void {
  if (on) localStorage.setItem(key, 'on')
  else localStorage.removeItem(key)
  for (const listener of listeners) listener()
}

/** Calls `listener` when wrapping is switched; returns how to stop. */
export function onWrapsLogLines(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
