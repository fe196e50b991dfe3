import Type from 'typebox'
import { sql } from '#platform/db/sql.ts'
import { type AnyView, view } from '#platform/domain.ts'
import type { ViewContext } from '#platform/view-context.ts'
import { headOf, sealedAfter, unsealedAfter } from './sealed-events.store.ts'

/** Data with which an outsider can verify the audit trail: everything that was sealed, and the hash chain. */

const path = '/admin/audit_trail'
const hex = (describe: string) => Type.String({ pattern: '^[0-9a-f]*$', description: `${describe} Hexadecimal.` })

const seal = Type.Object({
  seq: Type.Integer({ description: 'The number of the seal: one more than that of the seal before it.' }),
  event_id: Type.String({ format: 'uuid' }),
  created_at: Type.Union([Type.String(), Type.Null()], {
    description: 'Time of the event; null if the event was removed.',
  }),
  body: Type.Union([Type.String(), Type.Null()], {
    description: 'Other attributes of the event as canonical JSON (RFC 8785); null if the event was removed.',
  }),
  digest: hex('SHA-256 of id and created_at, each with a line feed behind it, and the body.'),
  hash: hex('SHA-256 of the hash before it (32 zero bytes before the first), seq as 8 bytes, and the digest.'),
  differing: Type.Array(Type.String(), {
    description:
      'Columns of the event that say otherwise than its body: they were changed behind the back of the service.',
  }),
})

const document = (type: string, attributes: Parameters<typeof Type.Object>[0]) =>
  Type.Object({
    data: Type.Object({
      id: Type.String({ format: 'uuid', description: 'Of the installation.' }),
      type: Type.Literal(type),
      attributes: Type.Object(attributes),
    }),
    links: Type.Object({ self: Type.String(), next: Type.Optional(Type.String()) }),
  })

/** GET /api/admin/audit_trail: the chain, some thousand seals at a time. */
const trail: AnyView = view({
  name: 'audit_trail.show',
  summary: 'The sealed audit trail: every event, and the hash chain through them',
  method: 'GET',
  paths: [`/api${path}`],
  parameters: {
    after: {
      schema: Type.Integer({ minimum: 0 }),
      describe: 'Number of the seal after which to continue; without it, from the first.',
    },
  },
  answer: document('audit_trail', {
    head: Type.Object(
      { seq: seal.properties.seq, hash: seal.properties.hash },
      { description: 'The last seal of all.' },
    ),
    seals: Type.Array(seal),
  }),
  find: async () => ({}),
  needs: () => [{ right: 'read', path }],
  run: async (_, { database, query }) => {
    const head = await headOf(database)
    const after = Number(query['after'] ?? 0)
    const seals = await sealedAfter(database, after, head.seq)
    const last = seals.at(-1)
    return answered(database, 'audit_trail', after, last && last.seq < head.seq ? last.seq : null, {
      head: { seq: head.seq, hash: head.hash.toString('hex') },
      seals: seals.map(({ digest, hash, event, ...rest }) => ({
        ...rest,
        created_at: event?.created_at ?? null,
        body: event?.body.toString() ?? null,
        digest: digest.toString('hex'),
        hash: hash.toString('hex'),
      })),
    })
  },
})

/** GET /api/admin/audit_trail/unsealed: events that were never sealed. */
const unsealed: AnyView = view({
  name: 'audit_trail.unsealed',
  summary: 'Events inserted without the service: older than the sealed ones, and not sealed',
  method: 'GET',
  paths: [`/api${path}/unsealed`],
  parameters: {
    after: {
      schema: Type.String({ format: 'uuid' }),
      describe: 'Id of the event after which to continue; without it, from the first.',
    },
  },
  answer: document('unsealed_events', { event_ids: Type.Array(Type.String({ format: 'uuid' })) }),
  find: async () => ({}),
  needs: () => [{ right: 'read', path }],
  run: async (_, { database, query }) => {
    const after = (query['after'] as string | undefined) ?? null
    const { unsealed, walkedTo } = await unsealedAfter(database, after)
    return answered(database, 'audit_trail/unsealed', after, walkedTo, { event_ids: unsealed })
  },
})

async function answered(
  database: ViewContext['database'],
  page: 'audit_trail' | 'audit_trail/unsealed',
  after: number | string | null,
  next: number | string | null,
  attributes: object,
) {
  const { id } = (await database.one(sql<{ id: string }>`select id from installation`))!
  const at = (place: number | string | null) => `/api/admin/${page}${place === null ? '' : `?after=${place}`}`
  const type = page === 'audit_trail' ? page : 'unsealed_events'
  const links = { self: at(after), ...(next !== null && { next: at(next) }) }
  return { body: { data: { id, type, attributes }, links }, headers: { 'cache-control': 'no-store' } }
}

export const auditTrailViews: readonly AnyView[] = [trail, unsealed]
