/** Position of a text in the ring; a text that found no room there has memory of its own. */
type Span = { start: number }

/**
 * Memory for texts that are kept for a while and released in the order in which they came: one buffer, reused. As
 * strings or Buffers of their own they would outlive the quick garbage collections, and a runner with much output would
 * grow by a hundred MiB before they are freed.
 */
export class Ring {
  readonly #memory: Buffer
  readonly #spans: Span[] = []
  /** Position at which the next text is written. */
  #end = 0

  /** Allocates the buffer; pages that are never written use no memory of the machine. */
  constructor(bytes: number) {
    this.#memory = Buffer.allocUnsafeSlow(bytes)
  }

  /** The text as UTF-8, valid until it is released. */
  keep(text: string): Buffer {
    const bytes = Buffer.byteLength(text)
    const start = this.#room(bytes)
    if (start === undefined) {
      this.#spans.push({ start: this.#end })
      return Buffer.from(text)
    }
    this.#spans.push({ start })
    this.#end = start + bytes
    this.#memory.write(text, start)
    return this.#memory.subarray(start, this.#end)
  }

  /** Releases the oldest texts. */
  release(count: number): void {
    this.#spans.splice(0, count)
    if (this.#spans.length === 0) this.#end = 0
  }

  /**
   * Finds a position for this many bytes: after the newest text, or before the oldest one. The two never meet: that
   * would look like an empty ring.
   */
  #room(bytes: number): number | undefined {
    const oldest = this.#spans[0]?.start
    if (oldest !== undefined && oldest >= this.#end) return bytes < oldest - this.#end ? this.#end : undefined
    if (bytes <= this.#memory.length - this.#end) return this.#end
    return oldest !== undefined && bytes < oldest ? 0 : undefined
  }
}
