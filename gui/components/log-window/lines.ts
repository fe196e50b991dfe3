/** Line of a log. */
export interface LogLine {
  readonly loggedAt: string
  readonly category: 'stdout' | 'stderr' | 'action' | 'runner'
  readonly attempt: number
  /** The step that wrote it; empty if Sluice wrote it for the whole activity. */
  readonly stepId: string
  /** Log of a workflow run: the change of that step. */
  readonly changeId?: string
  readonly message: string
}

/** Log of any length, of which only what is looked at is in memory. */
export interface Lines {
  /** Number of lines; undefined until it is known. */
  readonly count: number | undefined
  readonly error: unknown
  /** The line at an index from 0; undefined if it has not been read yet. */
  get(index: number): LogLine | undefined
  /** Reads these lines, the last one not included, unless they are there. Other reads that wait or run are given up. */
  want(from: number, to: number): void
  /** Calls `listener` when lines or their number have changed; returns how to stop. */
  listen(listener: () => void): () => void
  /** Number of changes so far, to see whether something has changed. */
  readonly version: number
}

/** Lines from an index, with the number of lines of the whole log. */
export interface LineRange {
  readonly from: number
  readonly lines: readonly LogLine[]
  readonly total: number
}

/** Reads `count` lines from an index, or the last `count` lines if `from` is undefined. */
export type ReadRange = (from: number | undefined, count: number, stop: AbortSignal) => Promise<LineRange>

/** Lines read by one request. */
const pageSize = 500
/** Pages kept in memory. */
const mostPages = 60
/** Characters kept in memory, if lines are so long that answers end early. */
const mostCharacters = 32_000_000
/** Milliseconds that scrolling rests before lines are requested. */
const rest = 40

/** Log whose lines are read page by page as they are wanted, and added as a live stream reports them. */
export class RangeLines implements Lines {
  readonly #read: ReadRange
  readonly #pages = new Map<number, (LogLine | undefined)[]>()
  readonly #running = new Map<number, AbortController>()
  readonly #listeners = new Set<() => void>()
  #wanted = { from: 0, to: 0 }
  #timer: ReturnType<typeof setTimeout> | undefined
  #tail: AbortController | undefined
  /** Whether an answer has ended before the last requested line: lines are long, and only those in sight are read. */
  #isHeavy = false
  count: number | undefined
  error: unknown
  version = 0

  constructor(read: ReadRange) {
    this.#read = read
  }

  get(index: number): LogLine | undefined {
    return this.#pages.get(Math.floor(index / pageSize))?.[index % pageSize]
  }

  listen(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  want(from: number, to: number): void {
    this.#wanted = { from, to }
    for (const [page, stop] of this.#running) if (!this.#isWanted(page)) stop.abort()
    clearTimeout(this.#timer)
    if (this.#missing().length > 0) this.#timer = setTimeout(() => this.#readMissing(), rest)
  }

  /** Reads the last lines and the length of the log. */
  async readTail(): Promise<void> {
    this.#tail?.abort()
    const stop = new AbortController()
    this.#tail = stop
    await this.#finish(this.#read(undefined, pageSize, stop.signal), stop.signal)
  }

  /** Forgets the lines from an index on, which have moved or changed, and reads again what is wanted of them. */
  invalidate(from: number, count = this.count): void {
    for (const [page, lines] of this.#pages) {
      const first = page * pageSize
      if (first >= from) this.#pages.delete(page)
      else if (first + pageSize > from) lines.length = from - first
    }
    for (const stop of this.#running.values()) stop.abort()
    this.count = count
    this.#changed()
    this.want(this.#wanted.from, this.#wanted.to)
  }

  /** Adds lines whose place is known, and the length of the log with them. */
  put({ from, lines, total }: LineRange): void {
    for (const [i, line] of lines.entries()) {
      const [page, at] = [Math.floor((from + i) / pageSize), (from + i) % pageSize]
      const kept = this.#pages.get(page)
      if (kept) kept[at] = line
      else this.#pages.set(page, Object.assign([], { [at]: line }))
    }
    // A response may be older than what the stream has added meanwhile.
    this.count = Math.max(this.count ?? 0, total)
    this.error = undefined
    this.#forgetFarPages()
    this.#changed()
  }

  /** Gives all reads up until lines are wanted again. */
  pause(): void {
    this.#wanted = { from: 0, to: 0 }
    clearTimeout(this.#timer)
    this.#tail?.abort()
    for (const stop of this.#running.values()) stop.abort()
  }

  #isWanted(page: number): boolean {
    const { from, to } = this.#wanted
    return page * pageSize < to && (page + 1) * pageSize > from
  }

  /** Ranges of wanted lines that are neither there nor being read, one a page. */
  #missing(): { page: number; from: number; to: number }[] {
    const { from, to } = this.#wanted
    const end = Math.min(to, this.count ?? to)
    const missing: { page: number; from: number; to: number }[] = []
    for (let page = Math.floor(from / pageSize); page * pageSize < end; page++) {
      if (this.#running.has(page)) continue
      const [first, last] = [Math.max(from, page * pageSize), Math.min(end, (page + 1) * pageSize)]
      for (let index = first; index < last; index++)
        if (!this.get(index)) {
          missing.push({ page, ...this.#gapAround(page, index) })
          break
        }
    }
    return missing
  }

  /** Lines of a page that are missing around an index: usually all of them. */
  #gapAround(page: number, index: number): { from: number; to: number } {
    const [first, end] = [page * pageSize, (page + 1) * pageSize]
    let [from, to] = [index, index + 1]
    const [least, most] = this.#isHeavy ? [index, Math.min(end, this.#wanted.to)] : [first, end]
    while (from > least && !this.get(from - 1)) from--
    while (to < most && !this.get(to)) to++
    return { from, to }
  }

  #readMissing(): void {
    for (const { page, from, to } of this.#missing()) {
      const stop = new AbortController()
      this.#running.set(page, stop)
      void this.#finish(this.#read(from, to - from, stop.signal), stop.signal, to).finally(() => {
        if (this.#running.get(page) === stop) this.#running.delete(page)
        // An answer may end early, after some megabytes. Without any progress it is not asked for again.
        if (this.get(from)) this.want(this.#wanted.from, this.#wanted.to)
      })
    }
  }

  /** @param to the line behind the last one that was asked for */
  async #finish(reading: Promise<LineRange>, stop: AbortSignal, to?: number): Promise<void> {
    try {
      const range = await reading
      if (stop.aborted) return
      if (range.from + range.lines.length < Math.min(to ?? range.total, range.total)) this.#isHeavy = true
      this.put(range)
    } catch (error) {
      if (stop.aborted) return
      this.error = error
      this.#changed()
    }
  }

  /** Keeps the pages nearest to what is wanted. */
  #forgetFarPages(): void {
    if (this.#pages.size <= mostPages && !this.#isHeavy) return
    const middle = (this.#wanted.from + this.#wanted.to) / 2 / pageSize
    const byDistance = [...this.#pages.keys()].sort((a, b) => Math.abs(a - middle) - Math.abs(b - middle))
    let characters = 0
    for (const [place, page] of byDistance.entries()) {
      if (this.#isHeavy) for (const line of this.#pages.get(page)!) characters += line?.message.length ?? 0
      const isNear = place < mostPages && (characters <= mostCharacters || this.#isWanted(page))
      if (!isNear) this.#pages.delete(page)
    }
  }

  #changed(): void {
    this.version += 1
    for (const listener of this.#listeners) listener()
  }
}
