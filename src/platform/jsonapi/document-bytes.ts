/**
 * Bytes of a document with the texts of its records. Each record is encoded by itself: a single text of all of them would
 * be an object of hundreds of kilobytes, for which the garbage collector runs more often.
 */
export function bytesOf(begin: string, records: readonly string[], end: string): Uint8Array {
  const length = [begin, ...records, end].reduce((sum, text) => sum + Buffer.byteLength(text), records.length)
  const bytes = Buffer.allocUnsafeSlow(length)
  let at = bytes.write(begin)
  for (const [index, record] of records.entries()) {
    if (index > 0) at += bytes.write(',', at)
    at += bytes.write(record, at)
  }
  at += bytes.write(end, at)
  return bytes.subarray(0, at)
}

/**
 * Releases the memory of a large body that is not sent, instead of leaving it to the garbage collector (`freeOnceSent`).
 * A smaller buffer may share its memory with others.
 */
export function releaseBytes({ buffer, byteLength }: Uint8Array): void {
  if (byteLength >= 256 * 1_024 && buffer.byteLength === byteLength && buffer instanceof ArrayBuffer) buffer.transfer(0)
}
