/** Number of rows whose heights are summed up together. */
const blockSize = 1_024

/**
 * Heights of the rows of a log, in pixels. A row is as high as a line until it has been drawn and measured, so that nothing
 * is read to know how long a log of a million lines is. The place of a row takes a few microseconds.
 */
export class RowHeights {
  readonly #lineHeight: number
  /** Pixels by which rows are higher than a line, by blocks. */
  readonly #blocks = new Map<number, { readonly extra: Float64Array; sum: number }>()
  #total = 0

  /** @param lineHeight height of a line, in pixels */
  constructor(lineHeight: number) {
    this.#lineHeight = lineHeight
  }

  /** Notes the height of a row; returns whether it is another one than before. */
  set(index: number, height: number): boolean {
    const number = Math.floor(index / blockSize)
    const known = this.#blocks.get(number)
    const extra = height - this.#lineHeight
    const change = extra - (known?.extra[index % blockSize] ?? 0)
    if (Math.abs(change) < 0.5) return false
    const block = known ?? { extra: new Float64Array(blockSize), sum: 0 }
    if (!known) this.#blocks.set(number, block)
    block.extra[index % blockSize] = extra
    block.sum += change
    this.#total += change
    return true
  }

  /** Forgets what was measured, from a row on. */
  clear(from = 0): void {
    const last = Math.floor(from / blockSize)
    for (const [number, block] of this.#blocks) {
      if (number < last) continue
      const kept = number === last ? block.extra.subarray(0, from % blockSize).reduce((sum, each) => sum + each, 0) : 0
      this.#total += kept - block.sum
      block.sum = kept
      if (kept === 0) this.#blocks.delete(number)
      else block.extra.fill(0, from % blockSize)
    }
  }

  /** Height of the first `count` rows. */
  topOf(count: number): number {
    let top = count * this.#lineHeight
    if (this.#total === 0) return top
    const last = Math.floor(count / blockSize)
    for (const [number, { extra, sum }] of this.#blocks)
      if (number < last) top += sum
      else if (number === last) for (let i = 0; i < count % blockSize; i++) top += extra[i]!
    return top
  }

  /** Index of the row at a pixel of the log. */
  at(pixel: number): number {
    if (this.#total === 0) return Math.floor(pixel / this.#lineHeight)
    let [number, top] = [0, 0]
    for (; ; number++) {
      const bottom = top + blockSize * this.#lineHeight + (this.#blocks.get(number)?.sum ?? 0)
      if (bottom > pixel) break
      top = bottom
    }
    const extra = this.#blocks.get(number)?.extra
    let index = number * blockSize
    if (!extra) return index + Math.floor((pixel - top) / this.#lineHeight)
    for (let i = 0; ; i++, index++) {
      top += this.#lineHeight + (extra[i] ?? 0)
      if (top > pixel) return index
    }
  }
}
