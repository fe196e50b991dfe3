import {
  applies,
  attributesOf,
  isCut,
  isShown,
  plainValue,
  shownRelated,
  typeOf,
  wantedColumns,
  wantedRelationships,
} from './document.ts'
import type { Column, Identifier, Reader, Relationship, Resource, Row } from './resource.ts'
import type { Shape } from './shape.ts'
import { shownLinks } from './shown-links.ts'

/**
 * Records as `showRows` makes them, but serialized directly: a list of a hundred assets is 290 KB, and building thirty
 * thousand objects and strings first takes twice the time and as much garbage collection again.
 *
 * @param hidden related records that this caller may not read
 * @returns the text of each record, in the order of the rows
 */
export async function writtenRecords(
  resource: Resource,
  rows: readonly Row[],
  shape: Shape,
  hidden: ReadonlySet<string>,
  reader: Reader,
): Promise<string[]> {
  const columns = wantedColumns(resource, shape)
  const plain = !resource.dynamicAttributes && columns.every(([, { read }]) => !read)
  const named = columns.map(([name, column]) => ({ name, column, key: `${JSON.stringify(name)}:` }))
  const relationships = wantedRelationships(resource, shape).map(([name, relationship]) => ({
    name,
    relationship,
    begin: `${JSON.stringify(name)}:{"data":`,
    link: `,"links":{${JSON.stringify(relationship.linkName ?? 'related')}:`,
  }))
  const beginnings = new Map(
    (resource.types?.all ?? [resource.type]).map(type => [type, `{"type":${JSON.stringify(type)},"id":`]),
  )
  const texts: string[] = []
  for (const row of rows) {
    const attributes = plain
      ? writtenAttributes(named, row)
      : JSON.stringify(await attributesOf(resource, row, columns, shape, reader))
    const related = writtenRelationships(relationships, row, hidden)
    const meta = resource.meta?.(row, reader)
    texts.push(
      `${beginnings.get(typeOf(resource, row))}${quoted(row.id)},"attributes":${attributes}${related},"links":${writtenLinks(shownLinks(resource, row, reader))}${
        meta ? `,"meta":${writtenMeta(meta)}` : ''
      }}`,
    )
  }
  return texts
}

function writtenAttributes(named: readonly { name: string; column: Column; key: string }[], row: Row): string {
  let text = ''
  for (const { name, column, key } of named) {
    if (!isShown(column, row)) continue
    const value = written(plainValue(column, row[name]))
    if (value !== undefined) text += text === '' ? key + value : `,${key}${value}`
  }
  return `{${text}}`
}

interface WrittenRelationship {
  readonly name: string
  readonly relationship: Relationship
  readonly begin: string
  readonly link: string
}

function writtenRelationships(all: readonly WrittenRelationship[], row: Row, hidden: ReadonlySet<string>): string {
  let text = ''
  for (const { name, relationship, begin, link } of all) {
    if (!applies(relationship, row)) continue
    const { named, related } = shownRelated(name, relationship, row, hidden)
    text += text === '' ? begin : `,${begin}`
    text += relationship.kind === 'many' ? writtenIdentifiers(named) : named[0] ? writtenIdentifier(named[0]) : 'null'
    if (related) text += `${link}${quoted(related)}}`
    text += isCut(name, relationship, row) ? ',"meta":{"partial_response":true}}' : '}'
  }
  return text === '' ? '' : `,"relationships":{${text}}`
}

const writtenIdentifier = ({ type, id }: Identifier) => `{"type":${quoted(type)},"id":${quoted(id)}}`

function writtenIdentifiers(named: readonly Identifier[]): string {
  let text = ''
  for (const each of named) {
    text += text === '' ? writtenIdentifier(each) : `,${writtenIdentifier(each)}`
  }
  return `[${text}]`
}

function writtenLinks(links: Readonly<Record<string, string | undefined>>): string {
  let text = ''
  for (const name in links) {
    const link = links[name]
    if (link !== undefined) text += `${text === '' ? '' : ','}"${name}":${quoted(link)}`
  }
  return `{${text}}`
}

/** Serialized form of frozen `meta` objects, which many records share. */
const frozenMeta = new WeakMap<object, string>()

function writtenMeta(meta: object): string {
  const known = frozenMeta.get(meta)
  if (known !== undefined) return known
  const text = JSON.stringify(meta)
  if (Object.isFrozen(meta)) frozenMeta.set(meta, text)
  return text
}

function written(value: unknown): string | undefined {
  if (typeof value === 'string') return quoted(value)
  if (typeof value === 'boolean') return value ? 'true' : 'false'
  return value === null ? 'null' : JSON.stringify(value)
}

/**
 * Pattern of characters that JSON may have to escape: quote, backslash, control characters, and everything from the
 * surrogates on.
 */
const special = /[^ !#-[\]-\ud7ff]/

const quoted = (text: string): string => (special.test(text) ? JSON.stringify(text) : `"${text}"`)

/** Maximum number of bytes of UTF-8 for a character of UTF-16. */
const widest = 3

/**
 * The bytes of such a document. Each record is encoded by itself: one text of all records would be an object of
 * hundreds of kilobytes, which triggers the garbage collector.
 */
export function bytesOf(begin: string, records: readonly string[], end: string): Uint8Array {
  let bytes = Buffer.allocUnsafeSlow(lengthOf(records) + begin.length + records.length + widest * end.length)
  let at = bytes.write(begin)
  const put = (text: string) => {
    if (bytes.length - at < widest * text.length) {
      const larger = Buffer.allocUnsafeSlow(2 * bytes.length + widest * text.length)
      bytes.copy(larger, 0, 0, at)
      bytes = larger
    }
    at += bytes.write(text, at)
  }
  for (const [index, record] of records.entries()) put(index === 0 ? record : `,${record}`)
  put(end)
  return bytes.subarray(0, at)
}

/** Estimated length of the text when few of its characters are beyond ASCII, with room for the last one. */
function lengthOf(records: readonly string[]): number {
  let [sum, longest] = [0, 0]
  for (const { length } of records) {
    sum += length
    longest = Math.max(longest, length)
  }
  return Math.ceil(sum * 1.05) + widest * longest
}
