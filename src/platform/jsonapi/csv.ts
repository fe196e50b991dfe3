import type { Resource } from './resource.ts'
import { type Shape, shownColumns, wanted } from './shape.ts'

/**
 * The attributes that a download of this list has as columns, after the id. An attribute that only some of its records
 * have (the particulars of events) is a column if `fields` names it.
 */
export function csvColumns(resource: Resource, shape: Shape): string[] {
  const own = shownColumns(resource, false)
    .map(([name]) => name)
    .filter(name => wanted(shape, resource.type, name))
  if (!resource.dynamicAttributes) return own
  const known = new Set(['id', ...Object.keys(resource.columns), ...Object.keys(resource.relationships ?? {})])
  return [...own, ...[...(shape.fields.get(resource.type) ?? [])].filter(name => !known.has(name))]
}

/** One line of RFC 4180. Arrays and objects are JSON. */
export const csvLine = (values: readonly unknown[]): string => `${values.map(cell).join(',')}\r\n`

function cell(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'object') return quoted(JSON.stringify(value))
  if (typeof value !== 'string') return String(value)
  // A spreadsheet would run a text such as =HYPERLINK(…) that anyone may have put into a name.
  return quoted(/^[=+\-@\t\r]/.test(value) ? `'${value}` : value)
}

const quoted = (text: string) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

/** A file name that is safe in a header: no path, no quotes, nothing outside ASCII but percent-encoded. */
export function contentDisposition(name: string): string {
  const file = name.replace(/[\\/\p{Cc}]/gu, '_').slice(0, 200)
  const ascii = file.replace(/[^ -~]|["%]/g, '_')
  const encoded = encodeURIComponent(file.toWellFormed()).replace(
    /['()*]/g,
    found => `%${found.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${ascii}"${ascii === file ? '' : `; filename*=UTF-8''${encoded}`}`
}
