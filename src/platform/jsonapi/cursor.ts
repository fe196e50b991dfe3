import { createHash, timingSafeEqual } from 'node:crypto'
import { fromJson } from '#json/from-json.ts'
import type { Keyring } from '../crypto/index.ts'
import type { Query } from './query-string.ts'
import type { Position, Sort } from './resource.ts'

type Mac = Pick<Keyring, 'mac'>

/**
 * Cursor of the position where a page ended, for `page[after]`. It carries a fingerprint of the query that it belongs
 * to, and a MAC: with another order or another filter the same values would silently skip records.
 */
export function writeCursor(keyring: Mac, fingerprint: string, position: Position): string {
  const body = Buffer.from(JSON.stringify([version, fingerprint, position]))
  return `${body.toString('base64url')}.${sign(keyring, body).toString('base64url')}`
}

/** The position, or undefined when this installation did not make the cursor for this very query. */
export function readCursor(keyring: Mac, fingerprint: string, cursor: string): Position | undefined {
  const [text = '', signature = '', ...rest] = cursor.split('.')
  const body = Buffer.from(text, 'base64url')
  const given = Buffer.from(signature, 'base64url')
  if (rest.length || given.length !== signatureLength || !timingSafeEqual(given, sign(keyring, body))) return undefined
  const [madeIn, madeFor, position] = fromJson<[number, string, Position]>(body.toString('utf8'))
  return madeIn === version && madeFor === fingerprint ? position : undefined
}

const version = 1
const signatureLength = 16

const sign = (keyring: Mac, body: Buffer) => keyring.mac('cursor', body).subarray(0, signatureLength)

/** Parameters that determine how a page is shown, not which records it contains. */
const presentation = /^(page\[.*\]|fields\[.*\]|limit|include|total|count_by|download|filter\[sorts\])$/s

/** Fingerprint of the path, the order and every parameter that narrows the list. */
export function fingerprintOf(path: string, query: Query, sorts: readonly Sort[]): string {
  const narrowing = Object.entries(query).filter(([name]) => !presentation.test(name))
  const order = sorts.map(({ name, direction }) => `${name} ${direction}`)
  const text = JSON.stringify([path, narrowing.sort(([a], [b]) => (a < b ? -1 : 1)), order])
  return createHash('sha256').update(text).digest('base64url').slice(0, 22)
}
