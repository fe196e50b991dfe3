import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { anyVersion, sluice, write } from '../api/client.ts'
import { recordKey } from '../api/keys.ts'
import { useToast } from '../components/toast/toast.tsx'
import { inversePatch, type Members, mergePatch } from './merge-patch.ts'

/** Preferences that follow a person to every browser. Any client may have stored any value: readers check what they take. */
export interface Preferences extends Members {
  readonly theme?: unknown
  readonly letter_shortcuts?: unknown
  readonly density?: unknown
  readonly log_wrap?: unknown
  /** Paths of starred nodes, each `true`, so that two tabs can star at the same time. */
  readonly starred_nodes?: unknown
  /** Paths of the nodes looked at last, each with the time. */
  readonly recent_nodes?: unknown
  /** Columns of lists, by the name of the list. */
  readonly columns?: unknown
}

const path = '/api/me/preferences'
const queryKey = recordKey(path)
const mutationKey = ['preferences']

/** Options of mutations of preferences, so that they are sent one after another. */
export const inOrder = { mutationKey, scope: { id: 'preferences' } }

/** The preferences of the signed-in user; undefined until they are read. Other tabs and browsers are seen on focus. */
export function usePreferences(): Preferences | undefined {
  const cache = useQueryClient()
  const { data } = useQuery({
    queryKey,
    queryFn: async () => (await sluice().show<{ data: Preferences }>(path)).attributes.data,
    // An answer from before a change that is under way would undo it on the screen.
    refetchOnWindowFocus: () => cache.isMutating({ mutationKey }) === 0,
  })
  return data
}

interface Change {
  readonly patch: Preferences
  /** The preferences before it, unless they were not read yet. */
  readonly known: Preferences | undefined
}

interface SaveOptions {
  /** Whether a change that could not be saved still applies in this browser; otherwise it is taken back. */
  readonly keep?: boolean
}

/** Changes preferences at once and saves them in the order of the changes, as merge patches. */
export function useSavePreferences({ keep = false }: SaveOptions = {}): (patch: Preferences) => void {
  const cache = useQueryClient()
  const toast = useToast()
  const { mutate } = useMutation({
    ...inOrder,
    mutationFn: ({ patch }: Change) => write('PATCH', path, { attributes: { data: patch } }, anyVersion),
    onSuccess: (_, { known }) => {
      if (known === undefined) void cache.invalidateQueries({ queryKey })
    },
    onError: (error, { patch, known = {} }) => {
      if (!keep) changeCached(cache, inversePatch(known, patch))
      toast.failed(error)
    },
  })
  return patch => {
    const known = cache.getQueryData<Preferences>(queryKey)
    if (known !== undefined) void cache.cancelQueries({ queryKey })
    changeCached(cache, patch)
    mutate({ patch, known })
  }
}

/**
 * Saves preferences that are not shown before.
 *
 * @throws Refused or Unreachable
 */
export async function savePreferences(cache: QueryClient, patch: Preferences): Promise<void> {
  await write('PATCH', path, { attributes: { data: patch } }, anyVersion)
  changeCached(cache, patch)
}

/** What is not read yet stays so: a part of the preferences must not look like all of them. */
const changeCached = (cache: QueryClient, patch: Preferences) =>
  cache.setQueryData<Preferences>(queryKey, known => known && mergePatch(known, patch))
