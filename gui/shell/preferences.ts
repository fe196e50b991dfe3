import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useSyncExternalStore } from 'react'
import { sluice } from '../api/client.ts'
import { recordKey } from '../api/keys.ts'
import { useToast } from '../components/toast/toast.tsx'
import { hasLetterShortcuts, setLetterShortcuts } from './shortcuts.ts'
import { chooseTheme, currentTheme, isTheme, onTheme, type Theme } from './theme.ts'

/** Preferences that follow a person to every browser; other members belong to other clients. */
interface Preferences {
  readonly theme?: unknown
  readonly letter_shortcuts?: unknown
}

const path = '/api/me/preferences'
const queryKey = recordKey(path)
const readPreferences = async (): Promise<Preferences> =>
  (await sluice().show<{ data: Preferences }>(path)).attributes.data

/** Applies the preferences of the signed-in user to this browser. */
export function usePreferencesOfUser(): void {
  const { data } = useQuery({ queryKey, queryFn: readPreferences, staleTime: Number.POSITIVE_INFINITY })
  useEffect(() => {
    if (isTheme(data?.theme) && data.theme !== currentTheme()) chooseTheme(data.theme)
    if (typeof data?.letter_shortcuts === 'boolean' && data.letter_shortcuts !== hasLetterShortcuts())
      setLetterShortcuts(data.letter_shortcuts)
  }, [data])
}

/** The theme, and how to choose another here and for the user. */
export function useTheme(): [Theme, (theme: Theme) => void] {
  const save = useSavePreferences()
  const theme = useSyncExternalStore(onTheme, currentTheme)
  const choose = (chosen: Theme) => {
    chooseTheme(chosen)
    save({ theme: chosen })
  }
  return [theme, choose]
}

/** Saves preferences of the user, in the order of the choices; what fails to be saved still applies in this browser. */
export function useSavePreferences(): (preferences: Preferences) => void {
  const cache = useQueryClient()
  const toast = useToast()
  const { mutate } = useMutation({
    mutationFn: (preferences: Preferences) => sluice().update(path, { data: preferences }),
    scope: { id: 'preferences' },
    onError: toast.failed,
  })
  return preferences => {
    cache.setQueryData<Preferences>(queryKey, before => ({ ...before, ...preferences }))
    mutate(preferences)
  }
}
