import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Node } from '../nodes/index.ts'
import { notOffered, type Offered } from './not-offered.ts'
import { usual } from './schedule-attributes.ts'

const node = { path: '/projects/bank' } as Node
const asked = (offered: Offered, maxWait?: number) =>
  notOffered(offered, node, { ...usual, action: 'nightly' }, maxWait)

test('a schedule whose action is offered is answered without a word', async () => {
  assert.equal(await asked(async () => [undefined]), undefined)
})

test('a repository that does not answer is not waited for', async () => {
  const answer = await asked(() => new Promise(() => {}), 1)
  assert.match(answer!.warnings[0]!.detail, /^Git did not say in time whether \/projects\/bank offers it\./)
})
