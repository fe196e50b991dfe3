/** Theme of the pages, kept in this browser. Without a choice it follows the system. */
export type Theme = 'system' | 'light' | 'dark'

const key = 'sluice.theme'
const listeners = new Set<() => void>()

export const isTheme = (value: unknown): value is Theme => value === 'system' || value === 'light' || value === 'dark'

export function currentTheme(): Theme {
  const stored = localStorage.getItem(key)
  return stored === 'light' || stored === 'dark' ? stored : 'system'
}

export function applyTheme(theme: Theme = currentTheme()): void {
  if (theme === 'system') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = theme
}

export function chooseTheme(theme: Theme): void {
  if (theme === 'system') localStorage.removeItem(key)
  else localStorage.setItem(key, theme)
  applyTheme(theme)
  for (const listener of listeners) listener()
}

/** Calls `listener` when another theme is chosen; returns how to stop. */
export function onTheme(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
