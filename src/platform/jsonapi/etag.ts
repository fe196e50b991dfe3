import { hash } from 'node:crypto'
import type { Row } from './resource.ts'
import { versionName } from './select.ts'

/**
 * `"<row version>-<hash of the answer>"`. A response depends on more than the row, so If-None-Match compares the whole;
 * a writer must not overwrite the row, so If-Match compares the version.
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
 * Whether an If-Match header allows a write to a row of this version. A row without versions matches only `*`. A weak tag is
 * taken as well: proxies that compress make ours weak on its way, and the row's version in it says as much as before.
 */
export function matches(header: string, rowVersion: number | undefined): boolean {
  return tags(header).some(tag => tag === '*' || (rowVersion !== undefined && versionIn(tag) === String(rowVersion)))
}

const tags = (header: string): string[] => header.split(',').map(tag => tag.trim().replace(/^W\//, ''))

const versionIn = (tag: string): string | undefined => /^"(\d+)(?:-[\w-]+)?"$/.exec(tag)?.[1]
