/** Error for a text that is not JSON, or not what its reader accepts, with the place of the fault. */
export class JsonFault extends Error {
  readonly offset: number

  constructor(offset: number, message: string) {
    super(message)
    this.offset = offset
  }
}

/**
 * Receiver of the parts of a JSON text in their order, each with the offsets of its first character and of the character
 * after its last one. An error that it throws ends the walk.
 */
export interface JsonVisitor {
  /** An object or an array begins. */
  open(bracket: '{' | '[', from: number): void
  /** The innermost object or array ends. */
  close(): void
  /** A name of the innermost object, without its escapes. */
  name(name: string, from: number, to: number): void
  /** A text outside of names, without its escapes. */
  text(value: string, from: number, to: number): void
  /** A number as it is written. */
  number(written: string, from: number, to: number): void
  word(value: true | false | null, from: number, to: number): void
}

/**
 * Walks a JSON text strictly by RFC 8259: accepts the texts that JSON.parse accepts, and no others. Does not recurse, so
 * the depth of a text is limited by `deepest` alone.
 *
 * @param deepest levels that a value may be nested
 * @throws JsonFault at the first place where it is not JSON
 */
export function walkJson(text: string, visitor: JsonVisitor, deepest = Number.POSITIVE_INFINITY): void {
  new Walk(text, visitor, deepest).document()
}

const words: Readonly<Record<string, boolean | null>> = { true: true, false: false, null: null }

class Walk {
  readonly #text: string
  readonly #visitor: JsonVisitor
  readonly #deepest: number
  /** Closing brackets of the objects and arrays that have begun, the innermost last. */
  readonly #ends: ('}' | ']')[] = []
  /** Whether nothing of the innermost has been read yet. */
  #begins = false
  #at = 0

  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what JSON forbids here
  readonly #plain = /[^"\\\u0000-\u001f]*/y
  readonly #escape = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y
  readonly #number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.+-])/y
  readonly #word = /(?:true|false|null)\b/y

  constructor(text: string, visitor: JsonVisitor, deepest: number) {
    this.#text = text
    this.#visitor = visitor
    this.#deepest = deepest
  }

  document(): void {
    do this.#value()
    while (this.#hasMore())
    if (this.#at < this.#text.length) throw this.#fault('Something follows the end of the document.')
  }

  /** Reads a text, number or word, or the opening bracket of an object or array. */
  #value(): void {
    this.#skipBlanks()
    if (this.#ends.length > this.#deepest) throw this.#fault(`Nested deeper than ${this.#deepest} levels.`)
    const [from, next] = [this.#at, this.#text[this.#at]]
    if (next === '{' || next === '[') this.#begin(next)
    else if (next === '"') this.#visitor.text(this.#string(), from, this.#at)
    else if (this.#match(this.#word)) this.#visitor.word(words[this.#text.slice(from, this.#at)]!, from, this.#at)
    else if (this.#match(this.#number)) this.#visitor.number(this.#text.slice(from, this.#at), from, this.#at)
    else throw this.#fault(from < this.#text.length ? 'A value is missing here.' : 'The document ends too early.')
  }

  #begin(bracket: '{' | '['): void {
    this.#visitor.open(bracket, this.#at)
    this.#ends.push(bracket === '{' ? '}' : ']')
    this.#begins = true
    this.#at += 1
  }

  /** Moves to the next value, and closes the objects and arrays that end before it. Returns whether there is one. */
  #hasMore(): boolean {
    for (;;) {
      this.#skipBlanks()
      const end = this.#ends.at(-1)
      if (end === undefined) return false
      if (this.#text[this.#at] !== end) {
        this.#separator(end)
        return true
      }
      this.#begins = false
      this.#ends.pop()
      this.#at += 1
      this.#visitor.close()
    }
  }

  /** Reads the comma before a value of an object or array, unless it is the first, and the name of a value of an object. */
  #separator(end: '}' | ']'): void {
    if (!this.#begins) {
      if (this.#text[this.#at] !== ',') throw this.#fault(`A comma or "${end}" is missing here.`)
      this.#at += 1
      this.#skipBlanks()
    }
    this.#begins = false
    if (end === ']') return
    const from = this.#at
    if (this.#text[from] !== '"') throw this.#fault('A key in double quotes is missing here.')
    this.#visitor.name(this.#string(), from, this.#at)
    this.#skipBlanks()
    if (this.#text[this.#at] !== ':') throw this.#fault('A colon is missing here.')
    this.#at += 1
  }

  #string(): string {
    const from = this.#at
    this.#at += 1
    let escaped = false
    while (this.#match(this.#plain) && this.#text[this.#at] !== '"') {
      escaped = true
      if (!this.#match(this.#escape))
        throw new JsonFault(from, 'This text has no end, or holds a character that must be escaped.')
    }
    this.#at += 1
    // A single text: JSON.parse misreads only names of objects (docs/adr/0052).
    return escaped ? JSON.parse(this.#text.slice(from, this.#at)) : this.#text.slice(from + 1, this.#at - 1)
  }

  #skipBlanks(): void {
    for (;;) {
      const code = this.#text.charCodeAt(this.#at)
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return
      this.#at += 1
    }
  }

  /** Skips the text that the pattern matches here. Returns whether it matches. */
  #match(pattern: RegExp): boolean {
    pattern.lastIndex = this.#at
    const found = pattern.test(this.#text)
    if (found) this.#at = pattern.lastIndex
    return found
  }

  #fault(message: string): JsonFault {
    return new JsonFault(this.#at, message)
  }
}
