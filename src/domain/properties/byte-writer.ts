/** Longer pieces are left to the runtime, whose call takes as long as copying this many bytes here. */
const callWorth = 96

/** Bytes that grow: put together of many small pieces, which a call of the runtime for each would make slow. */
export class ByteWriter {
  #bytes: Uint8Array<ArrayBuffer>
  #length = 0

  /** @param expected bytes for which there is room from the start */
  constructor(expected: number) {
    this.#bytes = new Uint8Array(Math.max(64, expected))
  }

  byte(value: number): void {
    this.#seeToRoom(1)
    this.#bytes[this.#length++] = value
  }

  copy(from: Uint8Array, start = 0, end = from.length): void {
    this.#seeToRoom(end - start)
    const bytes = this.#bytes
    let at = this.#length
    if (end - start > callWorth) bytes.set(from.subarray(start, end), at)
    else for (let index = start; index < end; index++) bytes[at++] = from[index]!
    this.#length += end - start
  }

  /** In the place of the last byte. */
  overwrite(value: number): void {
    this.#bytes[this.#length - 1] = value
  }

  /** Copy of the bytes written so far. */
  written(): Uint8Array<ArrayBuffer> {
    return this.#bytes.subarray(0, this.#length)
  }

  #seeToRoom(more: number): void {
    if (this.#length + more <= this.#bytes.length) return
    const larger = new Uint8Array(Math.max(this.#bytes.length * 2, this.#length + more))
    larger.set(this.#bytes)
    this.#bytes = larger
  }
}
