import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { operations } from '#client/generated/api.ts'
import { projectFolder } from '../support/database-server.ts'
import { everyPage, operationsOfPages, type Use } from './gui-operations.ts'

/** Name of an operation without the number that tells it from the same operation for another type of node. */
const familyOf = (id: string): string => id.replace(/_\d+$/, '')

const gui = join(projectFolder, 'gui')
const textOf = (file: string): string => readFileSync(join(gui, file), 'utf8')

/** Files in `gui/` that a file imports, directly or not, also once a page is shown; the file itself is one of them. */
function importedBy(file: string, found = new Set<string>()): Set<string> {
  if (found.has(file) || !existsSync(join(gui, file))) return found
  found.add(file)
  for (const [, path = ''] of textOf(file).matchAll(/(?:from|import\()\s*'(\.[^']+\.tsx?)'/g))
    importedBy(join(dirname(file), path), found)
  return found
}

/** Files of the pages' components by their routes, from the table of routes; nested routes have the paths of their parents. */
function pages(): Map<string, string> {
  const routes = textOf('routes.tsx')
  const found = new Map<string, string>()
  const parents = new Map<string, string>([['root', '']])
  const route =
    /const (\w+) = createRoute\(\{\s*getParentRoute: \(\) => (\w+),\s*path: '([^']*)',[^}]*?import\('\.\/(pages\/[^']+)'\)/g
  for (const [, name = '', parent = '', path = '', file = ''] of routes.matchAll(route)) {
    const whole = parent === 'root' ? path : `${parents.get(parent)}/${path.replace(/^\//, '')}`.replace(/(.)\/$/, '$1')
    parents.set(name, whole)
    found.set(found.has(whole) ? `${whole}/` : whole, file)
  }
  return found.set(everyPage, 'shell/shell.tsx')
}

const uses = Object.entries(operationsOfPages).filter((entry): entry is [string, Use] => typeof entry[1] !== 'string')

test('each operation of the API has a page of the web application, or a reason why it has none', () => {
  const families = new Set(operations.map(({ id }) => familyOf(id)))
  const listed = new Set(Object.keys(operationsOfPages))
  assert.deepEqual(
    [...families].filter(id => !listed.has(id)),
    [],
    'operations without a row in gui-operations.ts',
  )
  assert.deepEqual(
    [...listed].filter(id => !families.has(id)),
    [],
    'rows of operations that do not exist',
  )
  for (const [id, reason] of Object.entries(operationsOfPages))
    if (typeof reason === 'string') assert.match(reason, /^[A-Z].{10,}\.$/, id)
})

test('each page that is named exists, and its sources call the operation', () => {
  const files = pages()
  assert.ok(files.size > 15, 'routes that were found')
  const sources = new Map([...files].map(([page, file]) => [page, [...importedBy(file)].map(textOf).join('\n')]))
  const faults = uses.flatMap(([id, { page, text }]) => {
    const source = sources.get(page)
    if (source === undefined) return `${id}: there is no page ${page}`
    return source.includes(text) ? [] : `${id}: no source of the page ${page} contains ${text}`
  })
  assert.deepEqual(faults, [])
})
