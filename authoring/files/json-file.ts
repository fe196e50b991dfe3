import { numberFault } from '#json/written-number.ts'
import { type Json, objectOf } from '#platform/documents/document.ts'
import { textFault } from '#platform/stored-text.ts'
import { type FileFault, placeIn } from './file-fault.ts'
import { namingTemplates } from './unquoted-template.ts'

const deepest = 64

/**
 * JSON by the letter of RFC 8259, and more strictly: a key occurs once in its object, whole numbers keep their digits.
 * The first fault ends the reading: what follows it would be guessed.
 */
export function readJson(file: string, text: string): { value: Json } | { faults: FileFault[] } {
  const reader = new Reader(text)
  try {
    return { value: reader.document() }
  } catch (error) {
    if (!(error instanceof Misread)) throw error
    return { faults: namingTemplates(text, [{ file, ...placeIn(text, error.offset), message: error.message }]) }
  }
}

class Misread extends Error {
  readonly offset: number
  constructor(offset: number, message: string) {
    super(message)
    this.offset = offset
  }
}

const words: Readonly<Record<string, Json>> = { true: true, false: false, null: null }

class Reader {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  document(): Json {
    const value = this.#value(1)
    this.#blanks()
    if (this.#at < this.#text.length) throw this.#misread('Something follows the end of the document.')
    return value
  }

  #value(depth: number): Json {
    this.#blanks()
    if (depth > deepest + 1) throw this.#misread(`Nested deeper than ${deepest} levels.`)
    const next = this.#text[this.#at]
    if (next === '{') return this.#object(depth)
    if (next === '[') return this.#array(depth)
    if (next === '"') return this.#string()
    const word = this.#match(/(?:true|false|null)\b/y)
    return word === undefined ? this.#number() : words[word]!
  }

  #object(depth: number): Json {
    const entries = new Map<string, Json>()
    this.#each('{', '}', () => {
      const at = this.#at
      if (this.#text[at] !== '"') throw this.#misread('A key in double quotes is missing here.')
      const key = this.#string()
      if (entries.has(key)) throw new Misread(at, `The key ${JSON.stringify(key)} occurs twice.`)
      this.#blanks()
      if (this.#text[this.#at] !== ':') throw this.#misread('A colon is missing here.')
      this.#at += 1
      entries.set(key, this.#value(depth + 1))
    })
    return objectOf(entries)
  }

  #array(depth: number): Json {
    const items: Json[] = []
    this.#each('[', ']', () => items.push(this.#value(depth + 1)))
    return items
  }

  #each(open: string, close: string, item: () => void): void {
    this.#at += open.length
    this.#blanks()
    if (this.#text[this.#at] === close) {
      this.#at += 1
      return
    }
    for (;;) {
      this.#blanks()
      item()
      this.#blanks()
      const next = this.#text[this.#at]
      if (next !== ',' && next !== close) throw this.#misread(`A comma or "${close}" is missing here.`)
      this.#at += 1
      if (next === close) return
    }
  }

  #string(): string {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what JSON forbids here
    const found = this.#match(/"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y)
    if (found === undefined) throw this.#misread('This text has no end, or holds a character that must be escaped.')
    const value: string = JSON.parse(found)
    const fault = textFault(value)
    if (fault) throw this.#misread(fault.detail)
    return value
  }

  #number(): Json {
    const from = this.#at
    const found = this.#match(/-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.+-])/y)
    if (found === undefined)
      throw this.#misread(from < this.#text.length ? 'A value is missing here.' : 'The document ends too early.')
    const fault = numberFault(found)
    if (fault !== undefined) throw new Misread(from, fault)
    return Number(found)
  }

  #blanks(): void {
    this.#match(/[ \t\r\n]*/y)
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.#text)?.[0]
    this.#at += found?.length ?? 0
    return found
  }

  #misread(message: string): Misread {
    return new Misread(this.#at, message)
  }
}
