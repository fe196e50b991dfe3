import { endOfText, isName } from './text-in-json.ts'

/**
 * Reviver as of JSON.parse, without `this`: gets each value with its name, and its source text; returns the value to
 * keep.
 */
export type Reviver = (name: string, value: unknown, context?: { source?: string }) => unknown

/**
 * Parses JSON as JSON.parse does, but correctly. V8 misreads names that are written with a backslash: where an object
 * of the same shape had the name `\` before, in any document of any user, `"\n"` becomes that name (docs/adr/0052). So
 * such names are replaced by names without escapes while parsing and restored afterwards; a text without a backslash
 * goes through JSON.parse alone.
 *
 * @typeParam T what the text is known to hold; nothing is checked
 * @throws SyntaxError, with the message of JSON.parse
 */
export function fromJson<T = unknown>(text: string, reviver?: Reviver): T {
  if (!text.includes('\\')) return JSON.parse(text, reviver)
  const value: T = JSON.parse(text)
  const names = escapedNames(text)
  if (names.length === 0) return reviver ? JSON.parse(text, reviver) : value
  const placeholders = new Placeholders()
  const plain = placeholders.plainly(text, names)
  const revive: Reviver | undefined = reviver && ((name, ...rest) => reviver(placeholders.nameOf(name), ...rest))
  return placeholders.replaced(JSON.parse(plain, revive)) as T
}

type Place = readonly [from: number, to: number]

/** @param json well-formed */
function escapedNames(json: string): Place[] {
  const found: Place[] = []
  for (let at = json.indexOf('\\'); at >= 0; ) {
    // Backslashes are in texts only, so this is the first one of its text.
    const end = endOfText(json, at - 1)
    if (isName(json, end)) found.push([json.lastIndexOf('"', at - 1), end])
    at = json.indexOf('\\', end)
  }
  return found
}

/** Names without backslashes for those that JSON writes with some. */
class Placeholders {
  /** Prefix that no name of the document begins with. */
  readonly #mark = `${crypto.randomUUID()}:`
  /**
   * Stand-ins by name, one for each name, so that of a name that is given twice the last value counts, as it does to
   * JSON.parse.
   */
  readonly #ofNames = new Map<string, string>()
  readonly #names = new Map<string, string>()

  plainly(json: string, places: readonly Place[]): string {
    const pieces: string[] = []
    let done = 0
    for (const [from, to] of places) {
      // A text by itself is read rightly: only names are looked for among those of other objects.
      pieces.push(json.slice(done, from), this.#written(JSON.parse(json.slice(from, to)) as string))
      done = to
    }
    return [...pieces, json.slice(done)].join('')
  }

  /** Text of a name without backslashes: itself, or a stand-in. `"\u0041"` gets the same as `"A"`. */
  #written(name: string): string {
    const written = JSON.stringify(name)
    if (!written.includes('\\')) return written
    const placeholder = this.#ofNames.get(name) ?? `${this.#mark}${this.#ofNames.size}`
    this.#ofNames.set(name, placeholder)
    this.#names.set(placeholder, name)
    return JSON.stringify(placeholder)
  }

  nameOf(placeholder: string): string {
    return this.#names.get(placeholder) ?? placeholder
  }

  /** Replaces names and values at any depth, which JSON.parse does not limit either. */
  replaced(value: unknown): unknown {
    const whole = [value]
    const holders: Record<string, unknown>[] = [whole as never]
    for (let holder = holders.pop(); holder !== undefined; holder = holders.pop()) {
      for (const key of Object.keys(holder)) {
        const held = holder[key]
        if (typeof held !== 'object' || held === null) continue
        const right = Array.isArray(held) ? held : this.#withNames(held)
        // Not even `__proto__` is special here: the holder has it as a member of its own.
        if (right !== held) holder[key] = right
        holders.push(right as never)
      }
    }
    return whole[0]
  }

  #withNames(object: object): object {
    const keys = Object.keys(object)
    if (!keys.some(key => this.#names.has(key))) return object
    return Object.fromEntries(Object.entries(object).map(([key, value]) => [this.nameOf(key), value]))
  }
}
