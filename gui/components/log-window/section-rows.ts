/** Section of a log: the lines of one step below a header. */
export interface Section {
  readonly id: string
  /** Number of its lines. */
  readonly lines: number
  readonly isOpen: boolean
}

/** What is at a row of a log in sections: the header of a section, or one of its lines by its index. */
export interface Place {
  readonly id: string
  readonly line: number | undefined
}

/**
 * Rows of a log in sections: a header for each, and the lines of those that are open. It is computed from the numbers of
 * lines alone.
 */
export class SectionRows {
  readonly sections: readonly Section[]
  /** Row of each header, and the number of all rows at the end. */
  readonly #starts: number[] = [0]
  readonly #byId = new Map<string, number>()

  constructor(sections: readonly Section[]) {
    this.sections = sections
    for (const [i, { id }] of sections.entries()) {
      this.#byId.set(id, i)
      this.#starts.push(this.#starts[i]! + heightOf(sections[i]!))
    }
  }

  get count(): number {
    return this.#starts.at(-1)!
  }

  at(row: number): Place | undefined {
    const section = this.sections[this.sectionAt(row)]
    if (!section) return undefined
    const line = row - this.#starts[this.#byId.get(section.id)!]! - 1
    return { id: section.id, line: line < 0 ? undefined : line }
  }

  /** Index of the section that has a row, by bisection. */
  sectionAt(row: number): number {
    let [low, high] = [0, this.sections.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.#starts[middle + 1]! <= row) low = middle + 1
      else high = middle
    }
    return low
  }

  /** Row of the header of the section at an index; the number of rows behind the last one. */
  headerOf(index: number): number {
    return this.#starts[index] ?? this.count
  }

  indexOf(id: string): number | undefined {
    return this.#byId.get(id)
  }

  /** Row of a header or a line; that of the header if the section is closed or shorter, undefined if there is none. */
  rowOf({ id, line }: Place): number | undefined {
    const index = this.#byId.get(id)
    if (index === undefined) return undefined
    const { isOpen, lines } = this.sections[index]!
    return this.#starts[index]! + (isOpen && line !== undefined && line < lines ? line + 1 : 0)
  }

  /** First row from which these rows are others than those. */
  firstChange(other: SectionRows): number {
    for (const [i, section] of this.sections.entries()) {
      const before = other.sections[i]
      if (before?.id !== section.id) return this.#starts[i]!
      if (before.isOpen !== section.isOpen || (section.isOpen && before.lines !== section.lines))
        return this.#starts[i]! + Math.min(heightOf(before), heightOf(section))
    }
    return Math.min(this.count, other.count)
  }
}

const heightOf = ({ isOpen, lines }: Section): number => 1 + (isOpen ? lines : 0)
