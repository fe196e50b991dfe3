import { inflateRawSync } from 'node:zlib'

/** Decrypted content, still compressed if it was compressed when it was sealed. */
export interface Packed {
  readonly bytes: Uint8Array
  readonly deflated: boolean
  /** Size of the content in bytes. */
  readonly size: number
}

export function unpacked({ bytes, deflated, size }: Packed): Buffer {
  if (!deflated) return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  // In one piece: the default is pieces of 16 KiB, which are copied together.
  return inflateRawSync(bytes, { chunkSize: Math.max(64, size + 1) })
}

/** Uncompressed packed text, for a caller that created the text itself. */
export const notPacked = (text: string): Packed => {
  const bytes = Buffer.from(text)
  return { bytes, deflated: false, size: bytes.length }
}
