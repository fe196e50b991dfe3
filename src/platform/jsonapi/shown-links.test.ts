import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Reader, Resource } from './resource.ts'
import { shownLinks } from './shown-links.ts'

const record = (links: Record<string, string>) => ({ links: () => ({ ...links }) }) as unknown as Resource
const reader = (may: (path: string) => boolean): Reader =>
  ({ actor: { rights: { superuser: false, may: (_right: string, path: string) => may(path) } } }) as unknown as Reader

test('a link to what the reader may not read is left out, one with a code that holds a % is asked for as it stands', () => {
  const asked: string[] = []
  const links = record({
    self: '/api/workflow_runs/1',
    workflow: '/api/projects/bank/workflows/100%',
    project: '/api/projects/b%C3%A4nk',
  })
  const shown = shownLinks(
    links,
    { id: '1' },
    reader(path => asked.push(path) > 0 && path.includes('100%')),
  )
  assert.deepEqual(Object.keys(shown), ['self', 'workflow'])
  assert.deepEqual(asked, ['/projects/bank/workflows/100%', '/projects/bänk'])
})
