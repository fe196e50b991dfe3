import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { readActionsFile } from '#authoring/actions/actions-file.ts'
import { Fields } from '#authoring/files/fields.ts'
import { parseWorkflow } from '#authoring/workflows/read-workflow.ts'
import { projectFolder } from '../support/database-server.ts'

/** Compares the pages on actions.yaml and workflow YAML with the parsers: exactly the keys that a parser knows. */

const page = (name: string) => readFileSync(join(projectFolder, 'docs/reference', name), 'utf8')
const exampleOf = (text: string) => /^```yaml\n(.*?)^```$/ms.exec(text)?.[1] ?? assert.fail('The page has no example.')

/** The keys of each table of a page; a key is the first cell of a row. */
const documented = (text: string): string[][] =>
  text
    .split(/^#+ .*$/m)
    .map(section => [...section.matchAll(/^\| `(\w+)` \|/gm)].map(([, key = '']) => key))
    .filter(keys => keys.length > 0)

/** The keys that a parser reads, for each kind of object in the text. */
function keysRead(read: () => unknown): string[][] {
  const known = new Map<Fields, Set<string>>()
  const original = { take: Fields.prototype.take, takeNode: Fields.prototype.takeNode }
  const noting = (method: 'take' | 'takeNode') =>
    function (this: Fields, name: string) {
      known.set(this, (known.get(this) ?? new Set()).add(name))
      return original[method].call(this, name)
    }
  Object.assign(Fields.prototype, { take: noting('take'), takeNode: noting('takeNode') })
  try {
    read()
  } finally {
    Object.assign(Fields.prototype, original)
  }
  return [...known.values()].map(keys => [...keys])
}

const inOrder = (lists: readonly string[][]): string[] =>
  [...new Set(lists.map(keys => keys.toSorted().join(' ')))].toSorted()

test('the reference of actions.yaml has every key that the parser knows, and its example is valid', () => {
  const text = page('actions-yaml.md')
  let faults: unknown
  const read = keysRead(() => {
    const actions = readActionsFile('actions.yaml', Buffer.from(exampleOf(text)))
    faults = 'faults' in actions ? actions.faults : []
  })
  assert.deepEqual(faults, [])
  assert.deepEqual(inOrder(documented(text)), inOrder(read))
})

test('the reference of workflow YAML has every key that the parser knows, and its example is valid', () => {
  const text = page('workflow-yaml.md')
  let errors: unknown
  const read = keysRead(() => {
    const workflow = parseWorkflow(exampleOf(text))
    errors = 'errors' in workflow ? workflow.errors : []
  })
  assert.deepEqual(errors, [])
  assert.deepEqual(inOrder(documented(text)), inOrder(read))
})

test('the examples of the references use every key at least once', () => {
  for (const name of ['actions-yaml.md', 'workflow-yaml.md']) {
    const text = page(name)
    const missing = documented(text)
      .flat()
      .filter(key => key !== 'template_version' && !new RegExp(`\\b${key}:`).test(exampleOf(text)))
      .filter(key => key !== 'until')
    assert.deepEqual(missing, [], name)
  }
})
