import assert from 'node:assert/strict'
import { test } from 'node:test'
import { notPacked } from '#platform/crypto/packed.ts'
import type { Tx } from '#platform/db/database.ts'
import { type JsonObject, textOf } from '#platform/documents/document.ts'
import { type ChangeNow, changeContexts } from './change-context.tx.ts'

const change = {
  id: 'change-1',
  action: 'deploy',
  path: '/projects/bank/assets/web',
  metadata: {},
  created_at: '2026-11-21T00:00:00.000000Z',
  created_by: 'ada',
  template_code: null,
  template_version: null,
}
const changeWith = (data: JsonObject) =>
  ({
    change,
    settings: {},
    converged: { data, layers: [{ source: 'Change', text: notPacked(textOf(data)), data, from: 'change' }] },
  }) as unknown as ChangeNow

function contexts() {
  const vault = { password: 'first', reads: 0 }
  const recorded: string[] = []
  const parts = {
    apiUrl: () => 'http://here',
    record: async (_: Tx, event: { type: string }) => void recorded.push(event.type),
    vaults: {
      read: async () => {
        vault.reads += 1
        return new Map([['secret://projects/bank/assets/web/password', vault.password]])
      },
    },
  }
  return { vault, recorded, parts }
}

test('the documents of a change are made text once for all of its steps', async () => {
  const { parts } = contexts()
  const { read: contextOf } = changeContexts(parts)
  const now = changeWith({ port: 80 })
  const first = await contextOf({} as Tx, now)
  assert.equal(await contextOf({} as Tx, now), first)
  assert.equal(first.documents, '"properties":{"change":{"port":80}},"converged":{"port":80}')
  assert.notEqual(await contextOf({} as Tx, changeWith({ port: 81 })), first)
})

test('a secret is read for each step: a new value is the next step’s, and each reading is recorded', async () => {
  const { parts, vault, recorded } = contexts()
  const { read: contextOf } = changeContexts(parts)
  const now = changeWith({ key: 'secret://projects/bank/assets/web/password' })
  const first = await contextOf({} as Tx, now)
  assert.deepEqual([first.converged, first.secrets], [{ key: 'first' }, ['first']])
  assert.equal(await contextOf({} as Tx, now), first)
  vault.password = 'second'
  const next = await contextOf({} as Tx, now)
  assert.deepEqual([next.converged, next.secrets], [{ key: 'second' }, ['second']])
  assert.match(next.documents, /"properties":\{"change":\{"key":"secret:/)
  assert.equal(vault.reads, 3)
  assert.deepEqual(recorded, Array(3).fill('api:secrets:resolve'))
})
