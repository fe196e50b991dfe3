import assert from 'node:assert/strict'
import { test } from 'node:test'
import { distinct, type Entry } from './palette-sections.ts'

const entry = (to: string) => ({ to, text: to }) as Entry

test('what an earlier section has is not repeated, and empty sections are left out', () => {
  const sections = distinct([
    { title: 'Starred', entries: [entry('/projects/a')] },
    { title: 'Recent', entries: [entry('/projects/a')] },
    { title: 'Found', entries: [entry('/projects/b'), entry('/projects/a'), entry('/projects/b')] },
  ])
  assert.deepEqual(
    sections.map(({ title, entries }) => [title, entries.map(({ to }) => to)]),
    [
      ['Starred', ['/projects/a']],
      ['Found', ['/projects/b']],
    ],
  )
})
