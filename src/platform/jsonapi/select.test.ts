import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rightsTo, superuserRights } from '../../../tests/support/rights.ts'
import type { Actor, Rights } from '../actor.ts'
import { compile, sql } from '../db/sql.ts'
import type { Resource } from './resource.ts'
import { selection, shownTo } from './select.ts'
import type { Shape } from './shape.ts'

const below = sql`array(select below.id from things below)`
const things: Resource = {
  type: 'thing',
  describe: '',
  from: sql`things t`,
  id: sql`t.id`,
  columns: {},
  relationships: {
    below: {
      kind: 'many',
      type: 'thing',
      describe: '',
      sql: below,
      bounded: ({ visible }) =>
        sql`array(select below.id from things below where ${visible({ projectId: sql`below.project_id`, path: sql`below.path` })})`,
    },
  },
  links: () => ({}),
  lists: [],
  shows: [],
  rights: { fixed: '/things' },
}
const notes: Resource = {
  ...things,
  type: 'note',
  relationships: { below: { kind: 'many', type: 'thing', describe: '', sql: below, bounded: () => below } },
}
const shape: Shape = { single: false, fields: new Map(), includes: new Map() }
const of = (rights: Rights): Actor => ({ userId: null, username: 'x', rights, via: 'basic', remoteAddress: null })
const selected = (resource: Resource, rights: Rights) => compile(selection(shownTo(resource, of(rights)), shape))

test('what a relationship is cut to is each caller’s own, also when others have asked before', () => {
  const [bank, shop] = ['/projects/bank', '/projects/shop'].map(path => rightsTo({ [path]: ['read'] }))
  const [ofBank, ofShop] = [selected(things, bank!), selected(things, shop!)]
  assert.deepEqual(ofBank.values, ['/projects/bank'])
  assert.deepEqual(ofShop.values, ['/projects/shop'])
  assert.deepEqual(selected(things, bank!), ofBank)
  assert.deepEqual(selected(things, superuserRights).values, [])
})

test('what is shown of a record is put together once for the same rights, and once for all where nothing depends on them', () => {
  const rights = rightsTo({ '/projects/bank': ['read'] })
  assert.equal(shownTo(things, of(rights)), shownTo(things, of(rights)))
  assert.equal(shownTo(notes, of(rights)), notes)
})
