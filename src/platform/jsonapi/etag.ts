import { hash } from 'node:crypto'
import type { Row } from './resource.ts'
import { versionName } from './select.ts'

/**
 * `"<row version>-<hash of the response>"`. A response depends on more than the row, so If-None-Match compares the
 * whole; a write must not overwrite a newer row, so If-Match compares the version (optimistic locking).
 */
export function etagOf(row: Row, body: string): string {
  const version = row[versionName]
  const ofBody = hash('sha256', body, 'base64url').slice(0, 22)
  return `"${version === undefined || version === null ? '' : `${version}-`}${ofBody}"`
}

/**
 * ETag of a list: a hash of every byte of the response, so that it covers the records, what the caller may do with
 * them, links, totals and counts. It is weak, because a list is one content in several codings, and begins with letters,
 * so that no If-Match takes it for the version of a record.
 */
export const etagOfList = (bytes: Uint8Array): string => `W/"list-${hash('sha256', bytes, 'base64url').slice(0, 22)}"`

/** Whether an If-None-Match header names this ETag. Weak and strong tags are compared alike (RFC 9110, 13.1.2). */
export function noneMatches(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false
  const [known] = tags(etag)
  return tags(header).some(tag => tag === '*' || tag === known)
}

/**
 * Whether an If-Match header allows a write to a row of this version. A row without versions matches only `*`. Weak
 * tags match too: proxies that compress responses weaken our tags, and the row version in them is unchanged.
 */
export function matches(header: string, rowVersion: number | undefined): boolean {
  return tags(header).some(tag => tag === '*' || (rowVersion !== undefined && versionIn(tag) === String(rowVersion)))
}

const tags = (header: string): string[] => header.split(',').map(tag => tag.trim().replace(/^W\//, ''))

const versionIn = (tag: string): string | undefined => /^"(\d+)(?:-[\w-]+)?"$/.exec(tag)?.[1]
