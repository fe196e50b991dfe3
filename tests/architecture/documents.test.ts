import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { test } from 'node:test'
import { adrIndex, decisions } from '../../bin/adr-index.ts'
import { variables } from '../../src/main/variables.ts'
import { projectFolder } from '../support/database-server.ts'

const read = (file: string) => readFileSync(join(projectFolder, file), 'utf8')
const documents = globSync(['*.md', 'docs/**/*.md', 'examples/**/*.md'], { cwd: projectFolder })

test('every link between the documents leads somewhere', () => {
  const dead = documents.flatMap(file =>
    [...read(file).matchAll(/\]\((?!https?:)([^)#\s]+)/g)]
      .map(([, target = '']) => join(dirname(file), target))
      .filter(target => !existsSync(join(projectFolder, target)))
      .map(target => `${file} → ${target}`),
  )
  assert.deepEqual(dead, [])
})

test('every link to a heading of a document names a heading that exists', () => {
  const dead = documents.flatMap(file =>
    [...read(file).matchAll(/\]\((?!https?:)([^)#\s]*)#([^)\s]+)\)/g)]
      .map(([, target = '', heading = '']) => ({ target: target ? join(dirname(file), target) : file, heading }))
      .filter(({ target, heading }) => target.endsWith('.md') && !headingsOf(target).has(heading))
      .map(({ target, heading }) => `${file} → ${target}#${heading}`),
  )
  assert.deepEqual(dead, [])
})

/** Anchors of headings as GitHub computes them. */
const headingsOf = (file: string) =>
  new Set(
    [
      ...read(file)
        .replaceAll(/^```.*?^```/gms, '')
        .matchAll(/^#+ (.*)$/gm),
    ].map(([, heading = '']) =>
      heading
        .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}_\- ]/gu, '')
        .replaceAll(' ', '-'),
    ),
  )

test('no comment names a document that is not in the project', () => {
  const known = new Set(
    globSync('**/*.md', { cwd: projectFolder, exclude: name => name === 'node_modules' }).map(each => basename(each)),
  )
  const folders = ['actions', 'bench', 'bin', 'cli', 'client', 'db', 'gui', 'json', 'runner', 'src', 'tests']
  const files = globSync(`{${folders}}/**/*.{ts,tsx,sql,pl}`, { cwd: projectFolder })
  const unknown = files.flatMap(file =>
    read(file)
      .split('\n')
      .filter(line => /^\s*(\*|\/\/|\/\*|--|#)/.test(line))
      .flatMap(line => line.match(/[\w-]+\.md\b/g) ?? [])
      .filter(document => !known.has(document))
      .map(document => `${file}: ${document}`),
  )
  assert.deepEqual(unknown, [])
})

test('the README leads to the index of the documentation, and the index to every page', () => {
  assert.ok(read('README.md').includes('](docs/README.md)'))
  const index = read('docs/README.md')
  const pages = globSync(['docs/*.md', 'docs/{guides,operations,reference}/*.md', 'docs/*/README.md'], {
    cwd: projectFolder,
  })
  const missing = pages
    .map(page => page.slice('docs/'.length))
    .filter(page => page !== 'README.md' && !index.includes(`](${page})`))
  assert.deepEqual(missing, [])
})

test('pages for readers use the usual words of the field', () => {
  const unusual =
    /\b(whoever|whomever|nobody|somebody|anybody|beneath|so many|(?:is|are) told|stands? in|goes on|go on|lies? in)\b/i
  const pages = globSync(
    ['{README,CONTRIBUTING,SECURITY,CHANGELOG}.md', 'docs/*.md', 'docs/{guides,operations,reference}/*.md'],
    {
      cwd: projectFolder,
    },
  )
  const found = pages.flatMap(page =>
    read(page)
      .replaceAll(/^```.*?^```$/gms, block => block.replaceAll(/[^\n]/g, ''))
      .split('\n')
      .flatMap((line, i) => {
        const [word] = unusual.exec(line) ?? []
        return word === undefined ? [] : [`${page}:${i + 1}: ${word}`]
      }),
  )
  assert.deepEqual(found, [])
})

test('every decision has the next number, names its subjects and says when to reverse it', () => {
  for (const [index, { number, file }] of decisions().entries()) {
    assert.equal(number, index + 1, `${file} should be number ${index + 1}`)
    const text = read(`docs/adr/${file}`)
    for (const part of ['**Background.**', '**Decision.**', '**Example.**', '**Reverse it when**'])
      assert.ok(text.includes(part), `${file} lacks ${part}`)
  }
})

test('the index of decisions is up to date', () => {
  assert.equal(read('docs/adr/README.md'), adrIndex(), 'docs/adr/README.md is out of date: run `node bin/adr-index.ts`')
})

test('the page on configuration has every variable, with its default', () => {
  const page = read('docs/operations/configuration.md')
  const rows = page.split('\n').filter(line => line.startsWith('|'))
  for (const [name, variable] of Object.entries(variables)) {
    const row = rows.find(line => line.includes(`\`${name}\``))
    assert.ok(row, `${name} is not described`)
    if ('default' in variable) assert.ok(row.includes(`\`${variable.default}\``), `${name}: ${variable.default}`)
  }
  const known = new Set(Object.keys(variables))
  const invented = [...page.matchAll(/`(SLUICE_\w+)`/g)].map(([, name = '']) => name).filter(name => !known.has(name))
  assert.deepEqual(invented, [])
})

/** Bytes that are not a sealed document, with the reason. */
const otherBytes: Record<string, string> = {
  'artefact_chunks.bytes': 'a file that a step left',
  'audit_head.hash': 'a hash',
  'data_keys.wrapped': 'a key under the root key',
  'event_seals.digest': 'a hash',
  'event_seals.hash': 'a hash',
  'events.body': 'the bytes that are hashed; what is secret never gets there',
  'idempotency_keys.body_sha': 'a hash',
  'installation.key_check': 'tells a wrong root key',
  'installation.mac_key': 'a key under the root key',
  'models.properties_sha': 'a keyed hash',
  'properties_versions.data_sha': 'a hash',
  'runners.secret_sha': 'a hash',
  'settings_versions.data_sha': 'a hash',
  'sign_in_failures.key': 'a keyed hash',
  'tokens.secret_sha': 'a hash',
}

test('every column of bytes is either a sealed document that the decision on opaque columns lists, or known to be none', () => {
  const decision = read('docs/adr/0012-encrypted-documents-are-opaque.md')
  const listed = [...decision.matchAll(/^\| ([a-z_, ]+) \| ([a-z_, ]+) \|$/gm)]
    .filter(([, tables]) => tables !== 'table')
    .flatMap(([, tables = '', columns = '']) =>
      tables.split(', ').flatMap(table => columns.split(', ').map(column => `${table}.${column}`)),
    )
  assert.deepEqual(bytesInSchema().toSorted(), [...listed, ...Object.keys(otherBytes)].toSorted())
})

test('every table has a comment, and every check of several columns a name that says what it promises', () => {
  const commented = new Set(
    [...read('db/schema.sql').matchAll(/^comment on table (\w+) is /gm)].map(([, table]) => table),
  )
  const tables = tablesInSchema()
  assert.ok(tables.length > 60)
  assert.deepEqual(
    tables.map(({ table }) => table).filter(table => !commented.has(table)),
    [],
  )
  const unnamed = tables.flatMap(({ table, columns }) =>
    [...columns.matchAll(/^ {2}constraint (\w+) CHECK/gm)]
      .map(([, name = '']) => name)
      .filter(name => new RegExp(`^${table}_check\\d*$|_check\\d+$`).test(name)),
  )
  assert.deepEqual(unnamed, [])
})

const tablesInSchema = () =>
  [...read('db/schema.sql').matchAll(/^create table (\w+) \(\n([\s\S]*?)^\)/gm)].map(
    ([, table = '', columns = '']) => ({
      table,
      columns,
    }),
  )

function bytesInSchema(): string[] {
  return tablesInSchema().flatMap(({ table, columns }) =>
    [...columns.matchAll(/^ {2}"?(\w+)"? bytea\b/gm)].map(([, column]) => `${table}.${column}`),
  )
}
