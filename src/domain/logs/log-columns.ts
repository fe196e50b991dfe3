import type { LogRun } from '#protocol/runner-protocol.ts'

/**
 * The columns of a chunk that are the same for many lines, as PostgreSQL's own binary arrays: as text, they would be
 * written and parsed a thousand times to store one.
 */
export function timesOfLines(runs: readonly LogRun[]): Buffer {
  return binaryArray(timestamptz, runs, at => {
    const element = Buffer.alloc(8)
    element.writeBigInt64BE(microsecondsSince2000(at))
    return element
  })
}

export function categoriesOfLines(runs: readonly LogRun[]): Buffer {
  return binaryArray(text, runs, (_, category) => Buffer.from(category))
}

/** Texts as an array, written into the same memory each time: valid until the next one. */
export class TextsMemory {
  #memory = Buffer.alloc(0)

  arrayOf(texts: readonly string[]): Buffer {
    const lengths = texts.map(each => Buffer.byteLength(each))
    const size = lengths.reduce((sum, length) => sum + lengthBytes + length, headerBytes)
    if (this.#memory.length < size) this.#memory = Buffer.allocUnsafeSlow(size * 2)
    let at = writeHeader(this.#memory, text, texts.length)
    for (const [i, each] of texts.entries()) {
      at = this.#memory.writeInt32BE(lengths[i]!, at)
      at += this.#memory.write(each, at)
    }
    return this.#memory.subarray(0, size)
  }
}

const timestamptz = 1184
const text = 25
const lengthBytes = 4
const headerBytes = 20

/** The header of `array_send`, then each element behind its length. */
function binaryArray(
  type: number,
  runs: readonly LogRun[],
  elementOf: (at: string, category: string) => Buffer,
): Buffer {
  const parts = runs.map(([lines, at, category]) => {
    const element = elementOf(at, category)
    const length = Buffer.alloc(lengthBytes)
    length.writeInt32BE(element.length)
    return Buffer.alloc(lines * (lengthBytes + element.length), Buffer.concat([length, element]))
  })
  const header = Buffer.alloc(headerBytes)
  writeHeader(
    header,
    type,
    runs.reduce((sum, [lines]) => sum + lines, 0),
  )
  return Buffer.concat([header, ...parts])
}

/** @returns where the elements begin */
function writeHeader(array: Buffer, type: number, elements: number): number {
  const [dimensions, noNulls, lowerBound] = [1, 0, 1]
  return [dimensions, noNulls, type, elements, lowerBound].reduce((at, each) => array.writeInt32BE(each, at), 0)
}

/** PostgreSQL's internal form of a time such as `2026-11-21T02:00:00.123456Z`. */
function microsecondsSince2000(at: string): bigint {
  const milliseconds = Date.parse(`${at.slice(0, 19)}Z`) - Date.UTC(2000)
  return BigInt(milliseconds) * 1_000n + BigInt(at.slice(20, 26))
}
