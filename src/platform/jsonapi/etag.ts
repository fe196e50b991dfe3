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

/** Whether an If-None-Match header names this ETag. */
export function noneMatches(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false
  return tags(header).some(tag => tag === '*' || tag === etag)
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
