import { Type } from 'typebox'
import type { Catalogue } from '../../src/domain/events/index.ts'
import type { Rights } from '../../src/platform/actor.ts'
import { command, done, refused, type Target, unchanged } from '../../src/platform/commands/command.ts'
import { join, sql } from '../../src/platform/db/sql.ts'
import type { Domain } from '../../src/platform/domain.ts'
import { view } from '../../src/platform/domain.ts'
import { failure } from '../../src/platform/failure.ts'
import type { Column, Resource } from '../../src/platform/jsonapi/resource.ts'
import type { TestDatabase } from '../support/database.ts'
import { withClient } from '../support/template-database.ts'

/** A test resource with every kind of column, nullable and not, for testing the platform. Not part of the product. */

export const prepareSpecimens = (database: TestDatabase): Promise<void> =>
  withClient(database.ownerUrl, async owner => {
    await owner.query(`
      create table specimens (
        id          uuid primary key default sluice_uuid7(),
        project_id  uuid not null default '00000000-0000-7000-8000-00000000000a',
        path        text collate "C" not null default '/projects/a',
        code        text collate "C" not null unique,
        note        text,
        mood        text collate "C" check (mood in ('calm', 'wild')),
        size        int not null default 1,
        total       bigint,
        ratio       double precision,
        price       numeric,
        alive       boolean not null default true,
        tame        boolean,
        seen_at     timestamptz not null default sluice_now(),
        gone_at     timestamptz,
        mate_id     uuid references specimens (id),
        tags        jsonb,
        secret      bytea,
        row_version bigint not null default 1,
        created_at  timestamptz not null default sluice_now()
      );
      create index specimens_by_note on specimens (note, id);
      grant select, insert, update, delete on specimens to sluice_app`)
  })

const column = (kind: Column['kind'], name: string, more: Partial<Column> = {}): Column => ({
  kind,
  sql: sql.raw(`s.${name}`),
  describe: `Its ${name}.`,
  ...more,
})

export const specimenResource: Resource = {
  type: 'specimen',
  describe: 'One of everything.',
  from: sql`specimens s`,
  joins: { mate: sql`left join specimens m on m.id = s.mate_id` },
  id: sql`s.id`,
  lists: [
    { path: '/api/specimens' },
    {
      path: '/api/places/:place/specimens',
      parent: ({ place }) =>
        sql`select project_id as id, path, project_id from specimens where path = ${`/projects/${place}`} limit 1`,
      scope: (parent, query) =>
        query['only_tame'] === 'true'
          ? sql<boolean>`s.path = ${parent.path} and s.tame`
          : sql<boolean>`s.path = ${parent.path}`,
      parameters: { only_tame: { schema: Type.Boolean(), describe: 'Leave out the wild ones.' } },
    },
  ],
  shows: [{ path: '/api/specimens/:id', find: ({ id }) => sql<boolean>`s.id = ${id}::uuid` }],
  columns: {
    code: column('text', 'code'),
    note: column('text', 'note', { nullable: true }),
    size: column('integer', 'size'),
    total: column('integer', 'total', { nullable: true }),
    ratio: column('number', 'ratio', { nullable: true }),
    price: column('number', 'price', { nullable: true }),
    alive: column('boolean', 'alive'),
    tame: column('boolean', 'tame', { nullable: true }),
    mood: column('text', 'mood', { nullable: true, values: ['calm', 'wild'] }),
    seen_at: column('time', 'seen_at'),
    gone_at: column('time', 'gone_at', { nullable: true }),
    mate_id: column('id', 'mate_id', { nullable: true }),
    mate_note: { kind: 'text', sql: sql`m.note`, joined: true, nullable: true, describe: 'The note of its mate.' },
    tags: column('json', 'tags', { nullable: true }),
    secret: column('opaque', 'secret', { read: value => (value === null ? null : '{{hidden}}') }),
    story: { kind: 'text', sql: sql`'long ' || s.code`, describe: 'On single records.', showOnly: true },
    created_at: column('time', 'created_at'),
  },
  extra: { path: sql`s.path` },
  named: {
    giants: { describe: 'Of at least 100.', sql: value => sql<boolean>`(s.size >= 100) = ${value === 'true'}` },
    mate_of: { describe: 'The mate of this one.', sql: value => sql<boolean>`s.mate_id = ${value}::uuid` },
  },
  relationships: {
    mate: { kind: 'one', type: 'specimen', sql: sql`s.mate_id`, describe: 'Its mate.' },
    neighbours: {
      kind: 'many',
      type: 'any',
      sql: sql`(select coalesce(jsonb_agg(jsonb_build_object('type', 'specimen', 'id', o.id) order by o.code), '[]')
                  from specimens o where o.size = s.size and o.id <> s.id)`,
      describe: 'Those of its size.',
    },
  },
  links: row => ({ self: `/api/specimens/${row.id}` }),
  included: ['mate'],
  listRightsPath: () => '/specimens',
  rights: { projectId: sql`s.project_id`, path: sql`s.path` },
  rowVersion: sql<number>`s.row_version`,
}

interface Found extends Target {
  readonly id: string
  readonly readPath: string
  readonly rowVersion: number
  readonly alive: boolean
}

const attributes = {
  note: Type.Optional(Type.Union([Type.String({ maxLength: 20 }), Type.Null()])),
  size: Type.Optional(Type.Integer({ minimum: 0, maximum: 1000 })),
  tags: Type.Optional(Type.Array(Type.String())),
}

const find = (tx: { one: <Row>(query: ReturnType<typeof sql<Row>>) => Promise<Row | undefined> }, id = '') =>
  tx.one(sql<Found>`
    select id, path as "readPath", row_version as "rowVersion", alive
      from specimens where id = ${id}::uuid for update`)

/** Event types beyond the catalogue. */
export const specimenEvents: Catalogue = {
  'api:specimens:create': { why: 'a specimen was found' },
  'api:specimens:update': { why: 'a specimen was changed' },
  'api:specimens:destroy': { why: 'a specimen was let go' },
  'audit:specimens:feed': { why: 'a specimen was fed' },
  'audit:specimens:feed:denied': { why: 'somebody tried to feed what is dead' },
}

export const specimensDomain: Domain = {
  name: 'specimens',
  resources: [specimenResource],
  commands: [
    command<{ code: string; note?: string | null; size?: number; tags?: string[] }>({
      name: 'specimens.create',
      summary: 'Notes a specimen.',
      method: 'POST',
      paths: ['/api/specimens'],
      status: 201,
      event: 'api:specimens:create',
      eventBody: ['code', 'note'],
      attributes: Type.Object({
        code: Type.String({ pattern: '^[a-z]+$', shouldBe: 'lower-case letters' }),
        ...attributes,
      }),
      answers: 'specimen',
      find: async () => ({ readPath: '/specimens' }),
      needs: () => [{ right: 'update', path: '/specimens' }],
      run: async ({ tx }, _, { attributes: { code, note = null, size = 1, tags = [] } }) => {
        const taken = await tx.one(sql`select from specimens where code = ${code}`)
        if (taken) throw failure('code-taken', `The code ${code} is taken.`)
        const made = await tx.one(sql<{ id: string }>`
          insert into specimens (code, note, size, tags)
          values (${code}, ${note}, ${size}, ${JSON.stringify(tags)}::jsonb) returning id`)
        return done({ id: made!.id, event: { source: { type: 'specimen', id: made!.id } } })
      },
    }),
    command<{ note?: string | null; size?: number }, Found>({
      name: 'specimens.update',
      summary: 'Changes a specimen.',
      method: 'PATCH',
      paths: ['/api/specimens/:id'],
      status: 200,
      event: 'api:specimens:update',
      eventBody: ['note', 'size'],
      attributes: Type.Object(attributes),
      answers: 'specimen',
      find: ({ tx }, { params }) => find(tx, params['id']),
      needs: ({ readPath }) => [{ right: 'update', path: readPath }],
      refuse: ({ alive }) => (alive ? undefined : failure('archived', 'It is dead.')),
      run: async ({ tx }, { id }, { attributes: given }) => {
        const sets = Object.entries(given).map(([name, value]) => sql`${sql.raw(name)} = ${value}`)
        if (!sets.length) return unchanged(id)
        await tx.count(sql`update specimens set ${join(sets, ', ')}, row_version = row_version + 1 where id = ${id}`)
        return done({ id, event: { source: { type: 'specimen', id } } })
      },
    }),
    command<never, Found>({
      name: 'specimens.destroy',
      summary: 'Lets a specimen go.',
      method: 'DELETE',
      paths: ['/api/specimens/:id'],
      status: 204,
      event: 'api:specimens:destroy',
      eventBody: [],
      find: ({ tx }, { params }) => find(tx, params['id']),
      needs: ({ readPath }) => [{ right: 'delete', path: readPath }],
      run: async ({ tx }, { id }) => {
        await tx.count(sql`delete from specimens where id = ${id}`)
        return done({ event: { source: { type: 'specimen', id } } })
      },
    }),
    command<{ wait?: string }, Found>({
      name: 'specimens.feed',
      summary: 'Feeds a specimen; refused, and remembered, when it is dead.',
      method: 'POST',
      paths: ['/api/specimens/:id/feed'],
      status: 200,
      event: 'audit:specimens:feed',
      eventBody: [],
      attributes: Type.Object({ wait: Type.Optional(Type.String()) }),
      answers: 'specimen',
      find: ({ tx }, { params }) => find(tx, params['id']),
      needs: ({ readPath }) => [{ right: 'execute', path: readPath }],
      run: async ({ tx, actor }, { id, alive }, { attributes: { wait } }) => {
        await tx.count(sql`update specimens set size = size + 1, row_version = row_version + 1 where id = ${id}`)
        const event = { source: { type: 'specimen', id } }
        if (wait) await tx.rows(sql`select pg_advisory_xact_lock(${wait}::bigint)`)
        if (!alive) {
          return refused(failure('wrong-state', 'It is dead.'), [
            { type: 'audit:specimens:feed:denied', actor, ...event },
          ])
        }
        return done({ id, event })
      },
    }),
    command<never, Found>({
      name: 'specimens.tag',
      summary: 'Hangs a tag on a specimen, and says what it opens.',
      method: 'POST',
      paths: ['/api/specimens/:id/tag'],
      status: 200,
      event: 'audit:specimens:feed',
      eventBody: [],
      secret: true,
      answers: 'specimen',
      find: ({ tx }, { params }) => find(tx, params['id']),
      needs: ({ readPath }) => [{ right: 'execute', path: readPath }],
      run: async ({ tx }, { id }) => {
        await tx.count(sql`update specimens set size = size + 1, row_version = row_version + 1 where id = ${id}`)
        return done({ id, event: { source: { type: 'specimen', id } }, meta: { token: 't-0001' } })
      },
    }),
    command<never, Found>({
      name: 'specimens.stumble',
      summary: 'Fails by a bug.',
      method: 'POST',
      paths: ['/api/specimens/:id/stumble'],
      status: 204,
      event: 'api:specimens:update',
      eventBody: [],
      find: ({ tx }, { params }) => find(tx, params['id']),
      needs: () => [],
      run: async ({ tx }, { id }) => {
        await tx.count(sql`update specimens set note = 'stumbled' where id = ${id}`)
        throw new TypeError('a secret of the inside')
      },
    }),
  ],
  views: [
    view({
      name: 'specimens.weather',
      summary: 'How it is outside.',
      method: 'GET',
      paths: ['/api/weather'],
      public: true,
      parameters: { hours: { schema: Type.Integer({ minimum: 1 }), describe: 'How far ahead.' } },
      answer: Type.Object({ data: Type.Object({}, { additionalProperties: true }) }),
      find: async () => ({}),
      needs: () => [],
      run: async (_, { query }) => ({
        body: { data: { type: 'weather', id: 'now', attributes: { hours: Number(query['hours'] ?? 1) } } },
        headers: { 'Cache-Control': 'no-store' },
      }),
    }),
    view({
      name: 'specimens.slow',
      summary: 'Takes its time.',
      method: 'GET',
      paths: ['/api/slow'],
      answer: Type.Object({}, { additionalProperties: true }),
      find: async () => ({}),
      needs: () => [{ right: 'read', path: '/specimens' }],
      run: async (_, { database }) => {
        await database.rows(sql`select pg_advisory_lock_shared(77), pg_advisory_unlock_shared(77)`)
        return { body: { data: null } }
      },
    }),
  ],
}

export const everything: Rights = { superuser: true, may: () => true, visible: () => sql<boolean>`true` }

/** A user who may only read the project a. */
export const readerOfA: Rights = {
  superuser: false,
  may: (right, path) => right === 'read' && (path === '/specimens' || /^\/projects\/a($|\/)/.test(path)),
  visible: ({ path }) => sql<boolean>`(${path} = '/projects/a' or starts_with(${path}, '/projects/a/'))`,
}
