import { JsonFault, type JsonVisitor, walkJson } from '#json/walk-json.ts'
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
  const values = new Values()
  try {
    walkJson(text, values, deepest)
    return { value: values.whole }
  } catch (error) {
    if (!(error instanceof JsonFault)) throw error
    return { faults: namingTemplates(text, [{ file, ...placeIn(text, error.offset), message: error.message }]) }
  }
}

/** An object or an array of which a part has been read, and the key of the value that comes next. */
interface Holder {
  readonly entries?: Map<string, Json>
  readonly items?: Json[]
  key: string
}

/** Builds the value that a text holds. */
class Values implements JsonVisitor {
  whole: Json = null
  readonly #holders: Holder[] = []

  open(bracket: '{' | '['): void {
    this.#holders.push(bracket === '{' ? { entries: new Map(), key: '' } : { items: [], key: '' })
  }

  close(): void {
    const { entries, items } = this.#holders.pop()!
    this.#add(entries ? objectOf(entries) : items!)
  }

  name(name: string, from: number, to: number): void {
    refuseUnstorable(name, to)
    const holder = this.#holders.at(-1)!
    if (holder.entries!.has(name)) throw new JsonFault(from, `The key ${JSON.stringify(name)} occurs twice.`)
    holder.key = name
  }

  text(value: string, _: number, to: number): void {
    refuseUnstorable(value, to)
    this.#add(value)
  }

  number(written: string, from: number): void {
    const fault = numberFault(written)
    if (fault !== undefined) throw new JsonFault(from, fault)
    this.#add(Number(written))
  }

  word(value: boolean | null): void {
    this.#add(value)
  }

  #add(value: Json): void {
    const holder = this.#holders.at(-1)
    if (holder === undefined) this.whole = value
    else if (holder.entries) holder.entries.set(holder.key, value)
    else holder.items!.push(value)
  }
}

function refuseUnstorable(text: string, to: number): void {
  const fault = textFault(text)
  if (fault) throw new JsonFault(to, fault.detail)
}
