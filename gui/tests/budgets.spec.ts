import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'

/** Budgets in bytes of the built files, compressed with gzip unless it says otherwise. */
const budgets = {
  /** Scripts of the first page before its own: everything that the shell needs. */
  first: 150_000,
  /** Scripts that only one page needs. */
  page: 25_000,
  /** All scripts of one page: the first ones, what it shares with others, its own. */
  shared: 235_000,
  /** Scripts of the editor (136 KB, two thirds of it CodeMirror's view and state) and the comparison of texts (11 KB). */
  editor: 150_000,
  /** All that a browser reads of the dashboard for the first time, with both fonts, as it reads it: with brotli. */
  whole: 260_000,
}

interface Chunk {
  readonly file: string
  readonly css?: readonly string[]
  readonly imports?: readonly string[]
  readonly dynamicImports?: readonly string[]
  readonly isEntry?: boolean
}

const local = join(import.meta.dirname, '../../.local')
const manifest = JSON.parse(readFileSync(join(local, 'gui-manifest.json'), 'utf8')) as Record<string, Chunk>
const size = (file: string): number => statSync(join(local, 'gui', `${file}.gz`)).size

/** A chunk with everything that it imports statically. */
function closure(name: string, seen = new Set<string>()): Set<string> {
  if (!seen.has(name)) {
    seen.add(name)
    for (const each of manifest[name]!.imports ?? []) closure(each, seen)
  }
  return seen
}

const total = (names: Iterable<string>): number => [...names].reduce((sum, name) => sum + size(manifest[name]!.file), 0)
const entry = Object.keys(manifest).find(name => manifest[name]!.isEntry)!
const first = closure(entry)

test('the scripts of the first page stay within their budget', () => {
  const bytes = total(first)
  console.log(`first page: ${bytes} bytes of ${budgets.first}`)
  expect(bytes).toBeLessThanOrEqual(budgets.first)
})

test('each page loads little of its own, and the editor comes only with pages that edit', () => {
  const pages = Object.keys(manifest).filter(name => /pages\/.*-page\.tsx$/.test(name))
  expect(pages.length).toBeGreaterThan(4)
  const needs = new Map(pages.map(name => [name, [...closure(name)].filter(each => !first.has(each))]))
  for (const [name, chunks] of needs) {
    // Parts that several pages use are loaded once for all of them.
    const own = chunks.filter(chunk => pages.every(page => page === name || !needs.get(page)!.includes(chunk)))
    const all = total(first) + total(chunks)
    console.log(`${name}: ${total(own)} bytes of ${budgets.page}, ${all} of ${budgets.shared} in all`)
    expect(total(own), name).toBeLessThanOrEqual(budgets.page)
    expect(all, `${name} with what it shares`).toBeLessThanOrEqual(budgets.shared)
  }
})

test('a first visit to the dashboard loads little in all', () => {
  const chunks = [...closure(entry), ...closure('pages/dashboard/dashboard-page.tsx')].map(name => manifest[name]!)
  const files = new Set(['index.html', ...chunks.flatMap(({ file, css = [] }) => [file, ...css])])
  const sent = [...files].reduce((sum, file) => sum + statSync(join(local, 'gui', `${file}.br`)).size, 0)
  // Texts in Latin letters need these two.
  const fonts = readdirSync(join(local, 'gui/assets')).filter(file => /-latin-wght-normal-.*\.woff2$/.test(file))
  expect(fonts).toHaveLength(2)
  const bytes = fonts.reduce((sum, file) => sum + statSync(join(local, 'gui/assets', file)).size, sent)
  console.log(`first visit to the dashboard: ${bytes} bytes of ${budgets.whole}`)
  expect(bytes).toBeLessThanOrEqual(budgets.whole)
})

test('the editor stays within its budget', () => {
  const editor = Object.keys(manifest).filter(name => /components\/(editor|diff)\//.test(name))
  const names = new Set(editor.flatMap(name => [...closure(name)]))
  const bytes = total([...names].filter(name => !first.has(name)))
  console.log(`editor: ${bytes} bytes of ${budgets.editor}`)
  expect(bytes).toBeLessThanOrEqual(budgets.editor)
})

test('every text file is there in both compressions', () => {
  const files = readdirSync(join(local, 'gui'), { recursive: true }) as string[]
  for (const file of files.filter(name => /\.(js|css|html|svg)$/.test(name)))
    expect(files, file).toEqual(expect.arrayContaining([`${file}.br`, `${file}.gz`]))
})
