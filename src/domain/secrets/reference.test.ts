import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mayUse, readReference, referenceOf, wrongReferences } from './reference.ts'

const web = '/projects/bank/environments/live/assets/web'

test('a reference is a path beneath a node and a key', () => {
  const place = { path: '/projects/bank/db', key: 'password' }
  assert.deepEqual(readReference('secret://projects/bank/db/password'), place)
  assert.deepEqual(readReference('secret:///projects/bank/db/password'), place)
  assert.equal(referenceOf(place), 'secret://projects/bank/db/password')
  for (const not of [
    'secret://x',
    'secret://projects/bank',
    'secret://projects//k',
    'secret://projects/bank/a b/k',
    'x',
  ])
    assert.equal(readReference(not), undefined, not)
})

test('a reference leads nowhere but beneath the node that it begins with', () => {
  for (const not of [
    'secret://projects/bank/../shop/database/password',
    'secret://projects/bank/database/../../shop/password',
    'secret://projects/../projects/shop/database/password',
    'secret:///projects/bank/./database/password',
  ]) {
    assert.equal(readReference(not), undefined, not)
    assert.deepEqual(
      wrongReferences({ not }, web).map(({ pointer }) => pointer),
      ['/not'],
    )
  }
  const odd = { path: '/projects/bank/...', key: '..' }
  assert.deepEqual(readReference(referenceOf(odd)), odd)
})

test('a node uses its own secrets and those above it, not those beside or beneath', () => {
  const may = (node: string, path: string) => mayUse(node, { path, key: 'k' })
  assert.equal(may(web, `${web}/db`), true)
  assert.equal(may(web, '/projects/bank/environments/live/db'), true)
  assert.equal(may(web, '/projects/bank/db/more'), true)
  assert.equal(may(web, '/projects/bank/environments/test/db'), false)
  assert.equal(may(web, '/projects/bank/environments/live/assets/web2'), false)
  assert.equal(may(web, '/projects/ban/db'), false)
  assert.equal(may('/projects/bank', `${web}/db`), false)
})

test('a document with references that are wrong says where each is', () => {
  const document = {
    ok: 'secret://projects/bank/db/password',
    list: ['secret://projects/shop/db/password', { 'a/b': 'secret://nonsense' }],
    plain: 'not a secret://',
  }
  assert.deepEqual(
    wrongReferences(document, web).map(({ pointer }) => pointer),
    ['/list/0', '/list/1/a~1b'],
  )
})
