import { createCipheriv, createDecipheriv, type KeyObject, randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import { constants, deflateRaw, deflateRawSync } from 'node:zlib'
import type { Packed } from './packed.ts'

/** Bytes sealed under a data key that this process does not know yet: another process has created it. */
export class UnknownDataKey extends Error {
  readonly keyId: number
  constructor(aad: string, keyId: number) {
    super(`${aad} is sealed under data key ${keyId}, which is not there`)
    this.name = 'UnknownDataKey'
    this.keyId = keyId
  }
}

/** The first byte of everything sealed. After it: key id (4 bytes), nonce (12), tag (16), ciphertext. */
const formats = { plain: 1, deflated: 2 }
const smallestDeflated = 1_024
/**
 * Maximum size in bytes of a text compressed in this thread. Larger ones go to another thread (8 MiB take 60 ms); for
 * smaller ones the transfer takes as long as the compression.
 */
const largestHere = 131_072
const deflatedElsewhere = promisify(deflateRaw)
/** Length of the size that precedes compressed content. */
const sizeLength = 4
const headerLength = 5
const nonceLength = 12
const tagLength = 16
const cipherName = 'aes-256-gcm'

export interface SealingKey {
  readonly id: number
  readonly key: KeyObject
}

/** @param aad names the record and the column that the bytes belong to */
export const sealWith = (key: SealingKey, plain: Uint8Array | string, aad: string): Buffer =>
  sealAs(formats.plain, key, typeof plain === 'string' ? Buffer.from(plain) : plain, aad)

/**
 * Encrypts a text, compressed first if that makes a difference.
 *
 * @param key called once the text is compressed, which may take a while
 */
export async function sealTextWith(key: () => SealingKey, text: string, aad: string): Promise<Buffer> {
  const plain = Buffer.from(text)
  if (plain.length < smallestDeflated) return sealAs(formats.plain, key(), plain, aad)
  const size = Buffer.alloc(sizeLength)
  size.writeUInt32BE(plain.length)
  const how = { level: constants.Z_BEST_SPEED }
  const compressed = plain.length > largestHere ? await deflatedElsewhere(plain, how) : deflateRawSync(plain, how)
  const deflated = Buffer.concat([size, compressed])
  return deflated.length < plain.length
    ? sealAs(formats.deflated, key(), deflated, aad)
    : sealAs(formats.plain, key(), plain, aad)
}

/** Decrypts without decompressing. */
export function openWith(keys: ReadonlyMap<number, KeyObject>, sealed: Uint8Array, aad: string): Packed {
  const { format, content } = contentOf(keys, sealed, aad)
  if (format === formats.plain) return { bytes: content, deflated: false, size: content.length }
  return { bytes: content.subarray(sizeLength), deflated: true, size: content.readUInt32BE() }
}

/** Seals the same content under another key; compressed content stays compressed. */
export function resealWith(
  key: SealingKey,
  keys: ReadonlyMap<number, KeyObject>,
  sealed: Uint8Array,
  aad: string,
): Buffer {
  const { format, content } = contentOf(keys, sealed, aad)
  return sealAs(format, key, content, aad)
}

function sealAs(format: number, { id, key }: SealingKey, content: Uint8Array, aad: string): Buffer {
  const header = Buffer.alloc(headerLength)
  header.writeUInt8(format)
  header.writeUInt32BE(id, 1)
  // Random nonces are safe for 2^32 seals under one data key; a new data key restarts the count.
  const nonce = randomBytes(nonceLength)
  const cipher = createCipheriv(cipherName, key, nonce, { authTagLength: tagLength })
  cipher.setAAD(Buffer.concat([header, Buffer.from(aad)]))
  const sealed = Buffer.concat([cipher.update(content), cipher.final()])
  return Buffer.concat([header, nonce, cipher.getAuthTag(), sealed])
}

function contentOf(
  keys: ReadonlyMap<number, KeyObject>,
  sealed: Uint8Array,
  aad: string,
): { format: number; content: Buffer } {
  const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength)
  const format = bytes[0]!
  const isKnown = format === formats.plain || format === formats.deflated
  if (bytes.length < headerLength + nonceLength + tagLength || !isKnown)
    throw new Error(`${aad} holds no ciphertext of a known format`)
  const header = bytes.subarray(0, headerLength)
  const key = keys.get(keyIdOf(bytes))
  if (!key) throw new UnknownDataKey(aad, keyIdOf(bytes))
  const nonce = bytes.subarray(headerLength, headerLength + nonceLength)
  const tag = bytes.subarray(headerLength + nonceLength, headerLength + nonceLength + tagLength)
  const decipher = createDecipheriv(cipherName, key, nonce, { authTagLength: tagLength })
  decipher.setAAD(Buffer.concat([header, Buffer.from(aad)])).setAuthTag(tag)
  try {
    const sealedContent = bytes.subarray(headerLength + nonceLength + tagLength)
    return { format, content: Buffer.concat([decipher.update(sealedContent), decipher.final()]) }
  } catch (cause) {
    throw new Error(`${aad} does not open: it was sealed for another record, or changed`, { cause })
  }
}

const keyIdOf = (sealed: Buffer): number => sealed.readUInt32BE(1)
