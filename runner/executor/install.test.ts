import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Mask } from '../step/masking.ts'
import { Complaints } from './install.ts'

test('of what npm complains nothing of a secret is told, neither where its words are cut', () => {
  const secret = 'registry-token-of-the-house'
  const mask = new Mask([secret])
  const complaints = new Complaints()
  complaints.hear('stdout', Buffer.from('npm error not said there\n'))
  complaints.hear('stderr', Buffer.from(`npm error ${'x'.repeat(980)} ${secret}\n`))
  const words = complaints.words('exit code 1', text => mask.text(text))
  assert.match(words, /^npm ci failed \(exit code 1\): x+ \*\*\*$/)
})
