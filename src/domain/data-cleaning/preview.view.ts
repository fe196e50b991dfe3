import Type from 'typebox'
import type { Target } from '#platform/commands/command.ts'
import type { Queries } from '#platform/db/database.ts'
import { sql } from '#platform/db/sql.ts'
import { type AnyView, view } from '#platform/domain.ts'
import { cleanedKinds, definitionsPath } from './cleanup-definition.ts'
import { cutoffOf, type Definition, findDefinition } from './definition.store.ts'
import { conditionOf } from './definition-filters.sql.ts'
import { endOfStretch, type Place, type Removables, removableIn } from './removable.store.ts'

const answer = Type.Object({
  data: Type.Object({
    id: Type.String({ format: 'uuid' }),
    type: Type.Literal('data_cleanup_preview'),
    attributes: Type.Object({
      kind: Type.Enum([...cleanedKinds]),
      older_than: Type.String(),
      ended_before: Type.String({ format: 'date-time', description: 'What ended, or was recorded, before this.' }),
      removable_count: Type.Integer({
        description: 'Number of records that would be removed now, at most maximum_per_run.',
      }),
      complete: Type.Boolean({ description: 'False where counting took too long: there may be more than these.' }),
    }),
    links: Type.Object({ self: Type.String() }),
  }),
})

type Found = Target & { readonly definition: Definition }

/**
 * POST …/preview: counts the records that a run would remove now, and removes nothing. Filters of another release are
 * refused, as by a run.
 */
export const previewView = (kinds: Removables): AnyView =>
  view<Found>({
    name: 'data_cleanup_definitions.preview',
    summary: 'Count what would be deleted now, without deleting it',
    method: 'POST',
    paths: ['/api/data_cleanup_definitions/:id/preview'],
    answer,
    find: async ({ database, params }) => {
      const definition = await findDefinition(database, params['id']!)
      return definition && { definition, readPath: definitionsPath }
    },
    needs: () => [{ right: 'read', path: definitionsPath }],
    run: async ({ definition }, { database }) => {
      const { id, kind, older_than, filters } = definition
      // Also if nothing is old: a run would remove nothing.
      conditionOf(kinds[kind].resource, filters)
      const cutoff = await cutoffOf(database, definition)
      const counted = await count(database, kinds, { ...definition, cutoff })
      const attributes = { kind, older_than, ended_before: cutoff, ...counted }
      const links = { self: `/api/data_cleanup_definitions/${id}/preview` }
      return {
        body: { data: { id, type: 'data_cleanup_preview', attributes, links } },
        headers: { 'cache-control': 'no-store' },
      }
    },
  })

/** Number of records examined at once, larger than the batches of a run: here nothing waits for a lock. */
const stretch = 5_000
/** Time after which the count so far is returned. */
const countForMilliseconds = 5_000

async function count(
  queries: Queries,
  kinds: Removables,
  definition: Definition & { readonly cutoff: string },
): Promise<{ removable_count: number; complete: boolean }> {
  const kind = kinds[definition.kind]
  const most = definition.maximum_per_run ?? Number.POSITIVE_INFINITY
  const until = performance.now() + countForMilliseconds
  let place: Place
  let found = 0
  while (performance.now() < until) {
    const next: Place = await endOfStretch(queries, kind, definition.cutoff, place, stretch)
    if (!next || found >= most) return { removable_count: Math.min(found, most), complete: true }
    const row = await queries.one(
      sql<{ count: number }>`select count(*)::int as count from (${removableIn(kind, definition, place, next)}) sought`,
      { plannedAnew: true },
    )
    found += row!.count
    place = next
  }
  return { removable_count: Math.min(found, most), complete: found >= most }
}
