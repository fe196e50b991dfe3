import { Document, visit } from 'yaml'
import type { Resource } from '../client/sluice.ts'
import { type Column, chosenColumns, usualColumns, valueIn } from './columns.ts'
import { coloured, cutTo, plainLine, plainText, widthOf } from './plain-text.ts'
import type { RecordKind } from './record-kinds.ts'

export const formats = ['table', 'json', 'yaml', 'csv'] as const
export type Format = (typeof formats)[number]

/** Properties of standard output: a terminal has a width and colors, a pipe or file has neither. */
export interface Screen {
  readonly isTerminal: boolean
  readonly width: number
}

export const screenOf = ({ isTTY, columns }: NodeJS.WriteStream): Screen =>
  isTTY ? { isTerminal: true, width: columns || 80 } : { isTerminal: false, width: Number.POSITIVE_INFINITY }

/** Formats a list: JSON and YAML contain the records as received, tables and CSV their attributes. */
export function listText(
  kind: RecordKind,
  records: readonly Resource[],
  how: { format: Format; columns?: readonly string[] | undefined; screen: Screen },
): string {
  const { format, screen } = how
  if (format === 'json' || format === 'yaml') return documentText(records, format)
  if (format === 'csv') {
    return csvOf(records, chosenColumns(kind, how.columns ?? ['id', ...Object.keys(kind.attributes)]))
  }
  if (records.length === 0) return ''
  const columns = how.columns
    ? chosenColumns(kind, how.columns).map(name => ({ name, cells: records.map(each => cell(valueIn(each, name))) }))
    : usualColumns(kind, records, cell, screen.width)
  return table(columns, screen)
}

/** Formats one record. */
export function recordText(kind: RecordKind, record: Resource, how: { format: Format; screen: Screen }): string {
  const { format, screen } = how
  if (format === 'json' || format === 'yaml') return documentText(record, format)
  // A single record may have extra attributes, such as a secret that is shown once.
  if (format === 'csv')
    return csvOf([record], ['id', ...new Set([...Object.keys(kind.attributes), ...Object.keys(record.attributes)])])
  const { relationships = {}, meta = {} } = record
  const related = Object.entries(relationships).flatMap(([name, { data }]) => {
    const ids = [data ?? []].flat().map(({ type, id }) => `${type} ${id}`)
    return ids.length > 0 ? [[name, ids.length > 5 ? `${ids.length} records` : ids.join(', ')] as const] : []
  })
  const can = Array.isArray(meta['can']) && meta['can'].length > 0 ? [['can', meta['can'].join(', ')] as const] : []
  return [
    ...fieldLines([['id', record.id], ...Object.entries(record.attributes)], screen),
    ...(related.length + can.length > 0 ? ['', ...fieldLines([...related, ...can], screen)] : []),
    '',
  ].join('\n')
}

/** Formats any value as JSON or YAML. */
export const documentText = (value: unknown, format: 'json' | 'yaml'): string =>
  format === 'json' ? `${JSON.stringify(value, null, 2).replaceAll(controls, escapeOf)}\n` : yamlText(value)

function yamlText(value: unknown): string {
  const document = new Document(value, { aliasDuplicateObjects: false })
  visit(document, {
    Scalar(_, node) {
      if (typeof node.value === 'string' && node.value.search(controls) >= 0) node.type = 'QUOTE_DOUBLE'
    },
  })
  return document.toString({ lineWidth: 0 }).replaceAll(controls, escapeOf)
}

/** C1 control characters, which JSON and YAML do not escape but terminals interpret. */
const controls = /[\x7f-\x9f]/g
const escapeOf = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`

function fieldLines(fields: readonly (readonly [string, unknown])[], { isTerminal }: Screen): string[] {
  const shown = fields.filter(([, value]) => value !== null && value !== undefined && textOf(value) !== '')
  const width = Math.max(0, ...shown.map(([name]) => name.length))
  return shown.flatMap(([name, value]) => {
    const label = isTerminal ? coloured(2, name.padEnd(width)) : name.padEnd(width)
    const lines = linesOf(value)
    return lines.length === 1 ? [`${label}  ${lines[0]}`] : [label.trimEnd(), ...lines.map(line => `    ${line}`)]
  })
}

function linesOf(value: unknown): string[] {
  if (typeof value !== 'object') return plainText(String(value)).split('\n')
  if (Array.isArray(value) && value.length === 0) return ['none']
  if (Object.keys(value!).length === 0) return ['{}']
  return documentText(value, 'yaml').trimEnd().split('\n')
}

const textOf = (value: unknown): string =>
  value === null || value === undefined ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value)

/** Cell of a table; times are cut to the second, `-o json` has the full value. */
const cell = (value: unknown): string =>
  plainLine(textOf(value).replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)\.\d{6}Z$/, '$1 $2'))

function table(columns: readonly Column[], { isTerminal, width }: Screen): string {
  const widths = columns.map(({ name, cells }) => Math.max(widthOf(name), ...cells.map(widthOf)))
  const line = (texts: readonly string[]) =>
    texts
      .map((text, i) => text + ' '.repeat(Math.max(0, widths[i]! - widthOf(text))))
      .join('  ')
      .trimEnd()
  const rows = (columns[0]?.cells ?? []).map((_, row) => line(columns.map(({ cells }) => cells[row]!)))
  const head = line(columns.map(({ name }) => name.toUpperCase()))
  const cut = (text: string) => (isTerminal ? cutTo(text, width) : text)
  return [isTerminal ? coloured(1, cut(head)) : head, ...rows.map(cut), ''].join('\n')
}

const csvOf = (records: readonly Resource[], names: readonly string[]): string =>
  csv([names, ...records.map(record => names.map(name => textOf(valueIn(record, name))))])

/** CSV by RFC 4180. Values that a spreadsheet would read as a formula are prefixed with an apostrophe, as in the service. */
const csv = (rows: readonly (readonly string[])[]): string =>
  rows
    .map(row =>
      row
        .map(text => plainText(/^[=+\-@\t\r]/.test(text) && !/^-?\d+(\.\d+)?$/.test(text) ? `'${text}` : text))
        .map(text => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text))
        .join(','),
    )
    .join('\n')
    .concat('\n')
