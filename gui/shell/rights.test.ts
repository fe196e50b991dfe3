import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Resource, User } from '../api/records.ts'
import { mayOpen, mayRead, maySomewhere } from './rights.ts'

const right = (read: boolean) => ({ read, update: false, execute: false, delete: false })
const me = (authorisations: object) =>
  ({ type: 'user', id: 'x', meta: { authorisations } }) as unknown as Resource<User>

test('a page is open to people who may read one of its paths or something below', () => {
  const admin = { needs: ['/admin', '/system_configuration'] }
  assert.equal(mayOpen(me({ '/admin': right(false), '/admin/jobs': right(true) }), admin), true)
  assert.equal(mayOpen(me({ '/system_configuration': right(true) }), admin), true)
  assert.equal(mayOpen(me({ '/': right(true), '/administration': right(true) }), admin), false)
  assert.equal(mayOpen(me({}), admin), false)
  assert.equal(mayOpen(me({}), {}), true)
})

test('a right that no rule gives is one nowhere', () => {
  const user = {
    type: 'user',
    id: 'x',
    meta: { somewhere: { update: true, execute: false } },
  } as unknown as Resource<User>
  assert.equal(maySomewhere(user, 'update'), true)
  assert.equal(maySomewhere(user, 'execute'), false)
  assert.equal(maySomewhere(me({}), 'update'), false)
})

test('a path that the service does not name is not readable', () => {
  assert.equal(mayRead(me({ '/events': right(true) }), '/events'), true)
  assert.equal(mayRead(me({}), '/events'), false)
})
