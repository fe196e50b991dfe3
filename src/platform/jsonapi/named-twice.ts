import { endOfText, isName } from '#json/text-in-json.ts'
import { type JsonVisitor, walkJson } from '#json/walk-json.ts'

/**
 * Pointer to an object of this JSON text that has a name twice, in parts; undefined where none has. JSON.parse takes
 * the last of them silently, and another program on the way may have used the first.
 *
 * @param text well-formed JSON
 * @param names how many names its objects have when each is counted once
 */
export function namedTwice(text: string, names: number): string[] | undefined {
  // Counting is quick, and nearly always says that all is well.
  let written = 0
  for (let start = text.indexOf('"'); start >= 0; ) {
    const end = endOfText(text, start)
    if (isName(text, end)) written += 1
    start = text.indexOf('"', end)
  }
  if (written === names) return undefined
  const finder = new Finder()
  walkJson(text, finder)
  return finder.found
}

interface Level {
  /** Names read so far in an object; undefined in an array. */
  readonly names: Set<string> | undefined
  /** Name or index of the value that is being read. */
  at: string | number
}

/** Finds the first name that an object has twice. */
class Finder implements JsonVisitor {
  found: string[] | undefined
  readonly #levels: Level[] = []

  open(bracket: '{' | '['): void {
    this.#item()
    this.#levels.push(bracket === '{' ? { names: new Set(), at: '' } : { names: undefined, at: -1 })
  }

  close(): void {
    this.#levels.pop()
  }

  name(name: string): void {
    const level = this.#levels.at(-1)!
    level.at = name
    if (level.names!.has(name)) this.found ??= this.#levels.map(({ at }) => String(at))
    level.names!.add(name)
  }

  text(): void {
    this.#item()
  }

  number(): void {
    this.#item()
  }

  word(): void {
    this.#item()
  }

  /** Counts a value of an array. */
  #item(): void {
    const level = this.#levels.at(-1)
    if (level && typeof level.at === 'number') level.at += 1
  }
}
