import { useMutation, useQueryClient } from '@tanstack/react-query'
import { write } from '../../api/client.ts'
import { recordKey } from '../../api/keys.ts'
import { isStatus } from '../../api/query-client.ts'
import type { Properties } from '../../api/records.ts'
import { useToast } from '../../components/toast/toast.tsx'
import { configuration as texts } from '../../messages/configuration.ts'
import type { Data } from './data.ts'
import type { Part } from './node.ts'
import type { OwnRecord } from './own-record.ts'

interface SaveOptions {
  readonly own: string
  readonly part: Part
  /** Version that the document replaces. */
  readonly version: number
  readonly onSaved: (record: OwnRecord) => void
  /** Another version was saved meanwhile; nothing is written. */
  readonly onConflict: () => Promise<void>
}

/** Saves a whole document as the next version. */
export function useSave({ own, part, version, onSaved, onConflict }: SaveOptions) {
  const refresh = useRefresh(own)
  const toast = useToast()
  return useMutation({
    mutationFn: async (data: Data) => {
      const method = part === 'settings' ? 'PUT' : 'PATCH'
      const saved = await write<Properties>(method, own, { attributes: { data } }, { version })
      return saved.data as unknown as OwnRecord
    },
    onSuccess: saved => {
      refresh(saved)
      toast.done(texts.saved(saved.attributes.version))
      onSaved(saved)
    },
    onError: error => {
      if (isStatus(error, 409, 412)) void onConflict()
    },
  })
}

/** Puts a saved record into the cache, and reads again what depends on it. */
export function useRefresh(own: string): (saved: OwnRecord) => void {
  const cache = useQueryClient()
  return saved => {
    cache.setQueryData(recordKey(own), saved)
    void cache.invalidateQueries({
      predicate: ({ queryKey: [, path] }) =>
        typeof path === 'string' &&
        (path.startsWith(`${own}/`) || path.startsWith('/api/projects/') || path.startsWith('/projects/')),
    })
  }
}
