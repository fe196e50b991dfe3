import { useSyncExternalStore } from 'react'

/** Density of lists, trees and logs, kept in this browser. The heights themselves are tokens (`styles/tokens.css`). */
export type Density = 'normal' | 'compact'

const key = 'sluice.density'
const listeners = new Set<() => void>()

export const isDensity = (value: unknown): value is Density => value === 'normal' || value === 'compact'

export const currentDensity = (): Density => (localStorage.getItem(key) === 'compact' ? 'compact' : 'normal')

export function applyDensity(density: Density = currentDensity()): void {
  if (density === 'normal') delete document.documentElement.dataset['density']
  else document.documentElement.dataset['density'] = density
}

export function chooseDensity(density: Density): void {
  if (density === 'normal') localStorage.removeItem(key)
  else localStorage.setItem(key, density)
  applyDensity(density)
  for (const listener of listeners) listener()
}

/** Calls `listener` when another density is chosen; returns how to stop. */
export function onDensity(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Height that a token has in the current density, in pixels, for what draws only the rows in sight. */
export const useHeight = (token: HeightToken): number => useSyncExternalStore(onDensity, () => heightOf(token))

/** Tokens of heights: rows of one, two or three lines, a row of a tree, a bar of the timeline, a line of a log. */
export type HeightToken = '--row-1' | '--row-2' | '--row-3' | '--row-tree' | '--row-bar' | '--log-line'

function heightOf(token: HeightToken): number {
  const text = getComputedStyle(document.documentElement).getPropertyValue(token)
  const height = Number.parseFloat(text)
  if (!(height > 0)) throw new Error(`The token ${token} should be a height in px, not "${text}"`)
  return height
}
