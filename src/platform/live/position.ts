import type { Keyring } from '../crypto/index.ts'
import { failure } from '../failure.ts'

type Sealing = Pick<Keyring, 'seal' | 'open'>

/** Position of a stream that has sent everything. */
export const atTheEnd = 'end'

/**
 * A position as clients hold it. It is encrypted, because it counts events and transactions of the whole installation,
 * which most callers may not know, and bound to its path.
 */
export const writePosition = (keyring: Sealing, path: string, position: string): string =>
  keyring.seal(position, purpose(path)).toString('base64url')

/** @throws Failure `wrong-header` for a value that was not made for this path */
export function readPosition(keyring: Sealing, path: string, id: string | undefined): string | undefined {
  if (id === undefined || id === '') return undefined
  try {
    return Buffer.from(keyring.open(Buffer.from(id, 'base64url'), purpose(path))).toString()
  } catch {
    // Any fault means that the caller made the value up or took it from elsewhere.
    const detail = 'Last-Event-ID is not an id of this stream. Leave it out to start from the beginning.'
    throw failure('wrong-header', detail, { source: { header: 'last-event-id' } })
  }
}

const purpose = (path: string) => `live:${path}`
