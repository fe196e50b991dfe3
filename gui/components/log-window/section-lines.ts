import type { Lines, LogLine, RangeLines } from './lines.ts'
import { SectionRows } from './section-rows.ts'

/** Number of sections whose lines are kept in memory. */
const mostLogs = 50

/** Lines of a log in sections by their rows, of which each section has a log of its own. Rows of headers have no line. */
export class SectionLines implements Lines {
  readonly #create: (id: string) => RangeLines
  readonly #logs = new Map<string, RangeLines>()
  readonly #listeners = new Set<() => void>()
  #wanted = new Set<string>()
  #version = 0
  rows = new SectionRows([])

  /** @param create makes the log of a section, once it is looked at */
  constructor(create: (id: string) => RangeLines) {
    this.#create = create
  }

  get count(): number {
    return this.rows.count
  }

  get version(): number {
    return this.#version
  }

  get error(): unknown {
    for (const id of this.#wanted) if (this.#logs.get(id)?.error) return this.#logs.get(id)!.error
    return undefined
  }

  /** The log of a section, if it has been looked at. */
  logOf(id: string): RangeLines | undefined {
    return this.#logs.get(id)
  }

  /** Whether lines of a section are in sight. */
  isWanted(id: string): boolean {
    return this.#wanted.has(id)
  }

  get(row: number): LogLine | undefined {
    const place = this.rows.at(row)
    return place?.line === undefined ? undefined : this.#logs.get(place.id)?.get(place.line)
  }

  want(from: number, to: number): void {
    const wanted = new Set<string>()
    for (let index = this.rows.sectionAt(from); this.rows.headerOf(index) < to; index++) {
      const { id, lines, isOpen } = this.rows.sections[index]!
      const header = this.rows.headerOf(index)
      const [first, end] = [Math.max(from - header - 1, 0), Math.min(to - header - 1, lines)]
      if (!isOpen || first >= end) continue
      wanted.add(id)
      this.#log(id).want(first, end)
    }
    for (const id of this.#wanted) if (!wanted.has(id)) this.#logs.get(id)!.pause()
    this.#wanted = wanted
    for (const id of this.#logs.keys()) if (this.#logs.size > mostLogs && !wanted.has(id)) this.#logs.delete(id)
  }

  pause(): void {
    for (const id of this.#wanted) this.#logs.get(id)!.pause()
  }

  listen(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  #log(id: string): RangeLines {
    const known = this.#logs.get(id)
    if (known) return known
    const log = this.#create(id)
    this.#logs.set(id, log)
    log.listen(() => {
      this.#version += 1
      for (const listener of this.#listeners) listener()
    })
    return log
  }
}
