import { useMutation, useQueryClient } from '@tanstack/react-query'
import { sluice, write } from '../../api/client.ts'
import { listKey } from '../../api/keys.ts'
import { useList } from '../../api/queries.ts'
import type { Resource, SavedView } from '../../api/records.ts'
import { useMe } from '../../api/session.tsx'
import { readVersioned } from '../../api/versioned.ts'
import { savedViews as texts } from '../../messages/saved-views.ts'

export type ViewRecord = Resource<SavedView>

const path = '/api/saved_views'

export const mayChange = ({ meta }: ViewRecord): boolean =>
  (meta?.['can'] as readonly string[] | undefined)?.includes('update') === true

/** Views of a list by name: the user's own and those that others share. Superusers may read more, which are left out. */
export function useSavedViews(list: string): { own: readonly ViewRecord[]; shared: readonly ViewRecord[] } {
  const { username } = useMe().attributes
  const { records } = useList<'saved_view'>(path, {
    'filter[list_eq]': list,
    'filter[sorts]': 'name',
    limit: 1_000,
  })
  const isOwn = ({ attributes }: ViewRecord) => attributes.created_by === username
  return {
    own: records.filter(isOwn),
    shared: records.filter(view => !isOwn(view) && view.attributes.shared_with === 'everyone'),
  }
}

export interface ViewChange {
  /** View that is changed, as it is shown; without it one is created. */
  readonly view?: ViewRecord
  readonly attributes: Partial<Pick<SavedView, 'name' | 'list' | 'query' | 'shared_with'>>
}

interface Options {
  readonly onDone: (view: ViewRecord) => void
  /** Without it, the form shows the error. */
  readonly onError?: (error: unknown) => void
}

/** Creates or updates a view. */
export function useSaveView({ onDone, onError }: Options) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: ({ view, attributes }: ViewChange): Promise<ViewRecord> =>
      view === undefined ? sluice().create(path, attributes) : change(view, attributes),
    onSuccess: async view => {
      await cache.invalidateQueries({ queryKey: listKey(path) })
      onDone(view)
    },
    onError: error => {
      // A view that was changed in another window is shown as it is now.
      void cache.invalidateQueries({ queryKey: listKey(path) })
      onError?.(error)
    },
  })
}

/**
 * Changes attributes of a view, unless they have been changed since it was read for the list.
 *
 * @throws Error with a text for people if they have
 */
async function change(view: ViewRecord, attributes: ViewChange['attributes']): Promise<ViewRecord> {
  const self = `${path}/${view.id}`
  const now = await readVersioned<SavedView>(self)
  const names = Object.keys(attributes) as (keyof typeof attributes)[]
  if (names.some(name => now.record.attributes[name] !== view.attributes[name]))
    throw new Error(texts.changedMeanwhile(view.attributes.name))
  return (await write<SavedView>('PATCH', self, { attributes }, now)).data
}

/** Deletes a view. */
export function useDeleteView({ onDone, onError }: { onDone: () => void; onError: (error: unknown) => void }) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => sluice().remove(`${path}/${id}`),
    onSuccess: async () => {
      await cache.invalidateQueries({ queryKey: listKey(path) })
      onDone()
    },
    onError,
  })
}
