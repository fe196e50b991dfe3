import { createHash } from 'node:crypto'
import type pg from 'pg'
import { compile, type Sql } from './sql.ts'

/** A statement as the driver takes it; `plannedAnew` gives it no name. */
export function prepared(
  query: Sql,
  statements: StatementNames,
  how?: { readonly plannedAnew?: boolean },
): pg.QueryConfig & { values: unknown[] } {
  const { text, values } = compile(query)
  const name = how?.plannedAnew ? undefined : statements.nameOf(text)
  return { text, values: values as unknown[], ...(name && { name }) }
}

/**
 * Statements that recur are prepared: planning a step's statements costs as much as running them. Only texts seen three
 * times get a name, and only 500 of them, because lists have any number of different texts.
 */
export class StatementNames {
  #seen = new Map<string, number>()
  #names = new Map<string, string>()

  nameOf(text: string): string | undefined {
    const known = this.#names.get(text)
    if (known) return known
    const times = (this.#seen.get(text) ?? 0) + 1
    if (times < 3) {
      if (this.#seen.size > 5_000) this.#seen.clear()
      this.#seen.set(text, times)
      return undefined
    }
    this.#seen.delete(text)
    if (this.#names.size >= 500) return undefined
    const name = `s_${createHash('sha256').update(text).digest('hex').slice(0, 24)}`
    this.#names.set(text, name)
    return name
  }
}
