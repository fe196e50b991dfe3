import Type from 'typebox'
import type { Target } from '#platform/commands/command.ts'
import { type AnyView, view } from '#platform/domain.ts'
import { matchedIn, rankOf } from './ranking.ts'
import { type FoundRow, searchKinds } from './search-kinds.sql.ts'

const kinds = Object.keys(searchKinds)
const kind = Type.Enum([...kinds] as [string, ...string[]])
const usualLimit = 20

/** GET /api/search: records of several types that contain a text and that the caller may read, the best first. */
export const searchView: AnyView = view<Target>({
  name: 'search.list',
  summary: 'Records of several types that contain a text in their code, name, path, id or metadata, the best first',
  method: 'GET',
  paths: ['/api/search'],
  parameters: {
    query: {
      schema: Type.String({ minLength: 1, maxLength: 200, shouldBe: 'a text of 1 to 200 characters' }),
      describe:
        'Text to search for, in any case. Of activities and schedules the newest 2,000 are searched; an activity is also found by at least the first 8 digits of its id, and a node by the beginning of its path.',
      required: true,
    },
    types: {
      schema: Type.Union([kind, Type.Array(kind)], { shouldBe: `one of ${kinds.join(', ')}, several as types[]` }),
      describe: `Kinds of records: ${kinds.join(', ')}; default all. Several as types[]=node&types[]=user.`,
    },
    limit: {
      schema: Type.Integer({ minimum: 1, maximum: 100, default: usualLimit }),
      describe: `Maximum number of records, at most 100; default ${usualLimit}.`,
    },
  },
  answer: Type.Object({
    data: Type.Array(
      Type.Object({
        id: Type.String({ format: 'uuid' }),
        type: Type.String({ description: 'Type of the record, such as asset or change.' }),
        attributes: Type.Object({
          name: Type.String({ description: 'Name of the record; of an activity its action or workflow.' }),
          status_code: Type.Union([Type.String(), Type.Null()], {
            description: 'Status of an activity; null of others.',
          }),
        }),
        links: Type.Object({ self: Type.String() }),
        meta: Type.Object({
          path: Type.Union([Type.String(), Type.Null()], {
            description: 'Path of the record or its node; null of a user.',
          }),
          matched: Type.String({ description: 'Attribute that contains the text: code, name, path, id or metadata.' }),
        }),
      }),
    ),
    links: Type.Object({ self: Type.String() }),
    meta: Type.Object({
      partial_response: Type.Boolean({ description: 'Whether more records were found than the limit.' }),
    }),
  }),
  find: async () => ({}),
  needs: () => [],
  run: async (_, { database, actor, query }) => {
    const text = String(query['query']).trim()
    const limit = Number(query['limit'] ?? usualLimit)
    const wanted = query['types'] === undefined ? kinds : [...new Set([query['types']].flat())]
    const statements = text === '' ? [] : wanted.map(each => searchKinds[each]!(text, actor))
    const found = await Promise.all(statements.map(each => database.rows(each, { plannedAnew: true })))
    const ranked = found
      .flat()
      .map(row => ({ row, rank: rankOf(row, text) }))
      .toSorted((a, b) => a.rank - b.rank || a.row.name.length - b.row.name.length)
    const data = ranked.slice(0, limit).map(({ row }) => shown(row, text))
    const meta = { partial_response: ranked.length > limit }
    return { body: { data, links: { self: '/api/search' }, meta }, headers: { 'cache-control': 'no-store' } }
  },
})

const shown = (row: FoundRow, text: string) => ({
  id: row.id,
  type: row.type,
  attributes: { name: row.name, status_code: row.status_code },
  links: { self: row.link ?? `/api/users/${encodeURIComponent(row.code!)}` },
  meta: { path: row.path, matched: matchedIn(row, text) },
})
