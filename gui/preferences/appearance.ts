import { useEffect, useSyncExternalStore } from 'react'
import { chooseDensity, currentDensity, type Density, isDensity, onDensity } from '../components/density/density.ts'
import { hasLetterShortcuts, setLetterShortcuts } from '../keyboard/shortcuts.ts'
import { onWrapsLogLines, setWrapsLogLines, wrapsLogLines } from '../shell/log-wrapping.ts'
import { chooseTheme, currentTheme, isTheme, onTheme, type Theme } from '../shell/theme.ts'
import { usePreferences, useSavePreferences } from './preferences.ts'

/** Applies the preferences of the signed-in user to this browser. */
export function usePreferencesOfUser(): void {
  const { theme, letter_shortcuts: letters, density, log_wrap: wraps } = usePreferences() ?? {}
  useEffect(() => {
    if (isTheme(theme) && theme !== currentTheme()) chooseTheme(theme)
  }, [theme])
  useEffect(() => {
    if (isDensity(density) && density !== currentDensity()) chooseDensity(density)
  }, [density])
  useEffect(() => {
    if (typeof letters === 'boolean' && letters !== hasLetterShortcuts()) setLetterShortcuts(letters)
  }, [letters])
  useEffect(() => {
    if (typeof wraps === 'boolean' && wraps !== wrapsLogLines()) setWrapsLogLines(wraps)
  }, [wraps])
}

/** The theme, and how to choose another here and for the user. */
export function useTheme(): [Theme, (theme: Theme) => void] {
  const save = useSavePreferences({ keep: true })
  const theme = useSyncExternalStore(onTheme, currentTheme)
  const choose = (chosen: Theme) => {
    chooseTheme(chosen)
    save({ theme: chosen })
  }
  return [theme, choose]
}

/** The density, and how to choose another here and for the user. */
export function useDensity(): [Density, (density: Density) => void] {
  const save = useSavePreferences({ keep: true })
  const density = useSyncExternalStore(onDensity, currentDensity)
  const choose = (chosen: Density) => {
    chooseDensity(chosen)
    save({ density: chosen })
  }
  return [density, choose]
}

/** Whether long lines of logs are wrapped, and how to switch it here and for the user. */
export function useLogWrapping(): [boolean, (on: boolean) => void] {
  const save = useSavePreferences({ keep: true })
  const wraps = useSyncExternalStore(onWrapsLogLines, wrapsLogLines)
  const set = (on: boolean) => {
    setWrapsLogLines(on)
    save({ log_wrap: on })
  }
  return [wraps, set]
}
