import { createHash } from 'node:crypto'

/*
 * Hash chain of the audit trail, for the service, which seals events, and for its verification, which does not need the
 * service.
 */

/** End of a chain: the number of its last seal, and the hash of all up to it. */
export interface Link {
  readonly seq: number
  /** 32 bytes. */
  readonly hash: Buffer
}

/** Start of every chain: the link before the first seal. */
export const beginning: Link = { seq: 0, hash: Buffer.alloc(32) }

/** One sealed event. */
export interface Seal extends Link {
  readonly event_id: string
  /** Digest of the event: 32 bytes. */
  readonly digest: Buffer
  /** Null if the event was removed as old: its digest still chains. `body` is the hashed text: canonical JSON. */
  readonly event: { readonly created_at: string; readonly body: Buffer | string } | null
}

/** Digest of one event: SHA-256 of its id and time as text, a line each, followed by the bytes of its body. */
export const digestOf = (event: { id: string; created_at: string; body: Buffer | string }): Buffer =>
  createHash('sha256').update(`${event.id}\n${event.created_at}\n`).update(event.body).digest()

/** Hash of the chain up to a seal: SHA-256 of the hash before it, its number as 8 bytes, and its digest. */
export function chainHash(previous: Buffer, seq: number, digest: Buffer): Buffer {
  const number = Buffer.alloc(8)
  number.writeBigUInt64BE(BigInt(seq))
  return createHash('sha256').update(previous).update(number).update(digest).digest()
}

/** Faults of a seal that follows `before`; empty when the seal is correct. */
export function faultsOfSeal(seal: Seal, before: Link): string[] {
  const { seq, event_id: id, digest, hash, event } = seal
  const faults: string[] = []
  if (seq !== before.seq + 1) faults.push(outOfOrder(seq, before.seq))
  if (!chainHash(before.hash, seq, digest).equals(hash)) faults.push('the seal does not chain')
  if (event && !digestOf({ id, ...event }).equals(digest)) faults.push('the event was changed')
  return faults
}

const outOfOrder = (seq: number, before: number): string =>
  seq > before ? `seals ${before + 1} to ${seq - 1} are missing` : `the seal follows seal ${before}`
