import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Actor } from '../actor.ts'
import { sql } from '../db/sql.ts'
import type { Domain } from '../domain.ts'
import { extendResources } from './extend.ts'
import { registry } from './registry.ts'
import type { Column, Extension, Resource, Row } from './resource.ts'

const name: Column = { kind: 'text', sql: sql`b.name`, describe: 'Its name.' }
const boat: Resource = {
  type: 'boat',
  describe: 'Floats.',
  from: sql`boats b`,
  id: sql`b.id`,
  lists: [],
  shows: [],
  columns: { name },
  links: () => ({ self: '/api/boats/1' }),
  meta: () => ({ authorisations: { self: { update: true } } }),
  rights: { condition: () => sql<boolean>`true` },
}
const boats: Domain = { name: 'boats', resources: [boat] }
const crew = (extension: Extension): Domain => ({ name: 'crew', extends: { boat: extension } })
const row = { id: '1' } as Row
const reader = { actor: {} as Actor, database: {} as never }

test('a domain adds columns, links and areas of meta to a resource that does not know it', () => {
  const [extended] = extendResources([
    boats,
    crew({
      columns: { captain: name },
      links: () => ({ crew: '/api/boats/1/crew', anchor: undefined }),
      meta: () => ({ authorisations: { crew: { read: true } } }),
    }),
  ])
  assert.deepEqual(Object.keys(extended!.columns), ['name', 'captain'])
  assert.deepEqual(extended!.links(row), { self: '/api/boats/1', crew: '/api/boats/1/crew' })
  assert.deepEqual(extended!.meta?.(row, reader), {
    authorisations: { self: { update: true }, crew: { read: true } },
  })
})

test('two definitions of one name fail, whichever of joins, columns, extras, filters or relationships', () => {
  const relationship = { kind: 'one', type: 'boat', sql: sql`b.id`, describe: 'Itself.' } as const
  const extensions: Extension[] = [
    { joins: { crew: sql`left join crews c on c.boat_id = b.id` } },
    { columns: { name } },
    { extra: { depth: sql`1` } },
    { named: { mine: { describe: '', sql: () => sql<boolean>`true` } } },
    { relationships: { sister: relationship } },
  ]
  for (const extension of extensions) {
    const first: Domain = { name: 'first', extends: { boat: extension } }
    assert.throws(
      () => extendResources([boats, first, crew(extension)]),
      /(first|crew) defines .* of boat, which is defined already/,
    )
  }
})

test('an extension of a resource that there is not fails', () => {
  assert.throws(() => extendResources([crew({})]), /crew extends boat, and there is no such resource/)
})

test('a resource with a name that SQL or a URL would stumble over does not start', () => {
  const broken: [Partial<Resource>, RegExp][] = [
    [{ columns: { 'a"b': name } }, /has the name/],
    [{ columns: { id: name } }, /states its id twice/],
    [{ extra: { name: sql`1` } }, /also as an extra/],
    [{ defaultSort: [{ column: 'age', direction: 'asc' }] }, /is sorted by age/],
    [{ included: ['sister'] }, /includes sister/],
  ]
  for (const [change, message] of broken) assert.throws(() => registry([{ ...boat, ...change }]), message)
  assert.throws(() => registry([boat, boat]), /two resources have the type boat/)
})
