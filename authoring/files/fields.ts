import { isMap, isScalar, isSeq, type Scalar } from 'yaml'
import { isOneLine } from '#platform/display-name.ts'
import { nearestTo } from '#platform/nearest-name.ts'
import type { FileFault } from './file-fault.ts'
import { type YamlFile, yamlToJson } from './yaml-file.ts'

/** A file that is being read, and its faults so far. */
export interface Reading {
  readonly yaml: YamlFile
  readonly faults: FileFault[]
}

export interface Field {
  readonly name: string
  readonly key: unknown
  readonly node: unknown
  /** JSON value; undefined if there is none. */
  readonly value: unknown
}

/**
 * The keys of one object of a file. Each is taken once by the reader that knows it; remaining keys are unknown and
 * refused. A value of the wrong kind is recorded as a fault at its place, and reading continues: people see all faults
 * at once.
 */
export class Fields {
  readonly #reading: Reading
  readonly #entries: Map<string, Omit<Field, 'value'>>
  readonly #known = new Set<string>()

  private constructor(reading: Reading, entries: readonly Omit<Field, 'value'>[]) {
    this.#reading = reading
    this.#entries = new Map(entries.map(entry => [entry.name, entry]))
  }

  static of(reading: Reading, node: unknown, otherwise: string): Fields | undefined {
    if (!isMap(reading.yaml.resolve(node))) {
      reading.faults.push(reading.yaml.faultAt(node, otherwise))
      return undefined
    }
    return new Fields(reading, Fields.entriesOf(reading, node, otherwise))
  }

  static entriesOf(reading: Reading, node: unknown, otherwise: string): Omit<Field, 'value'>[] {
    const map = reading.yaml.resolve(node)
    if (isMap(map))
      // A key without a value has no place but its own.
      return map.items.map(({ key, value }) => ({ name: String((key as Scalar).value), key, node: value ?? key }))
    reading.faults.push(reading.yaml.faultAt(node, otherwise))
    return []
  }

  fault(node: unknown, message: string): void {
    this.#reading.faults.push(this.#reading.yaml.faultAt(node, message))
  }

  peek(name: string): boolean {
    return this.#entries.has(name)
  }

  take(name: string): Field | undefined {
    this.#known.add(name)
    const entry = this.#entries.get(name)
    return entry && { ...entry, value: entry.node === entry.key ? null : jsonOf(this.#reading, entry.node) }
  }

  /** Takes a key and leaves its value unparsed, for callers that read parts of it themselves. */
  takeNode(name: string): Omit<Field, 'value'> | undefined {
    this.#known.add(name)
    return this.#entries.get(name)
  }

  text(name: string, { notEmpty = false, most = 1_048_576, oneLine = false } = {}): string | undefined {
    const field = this.take(name)
    if (!field) return undefined
    if (typeof field.value === 'number' || typeof field.value === 'boolean')
      this.fault(field.node, `"${name}" is a text: put quotes around it.`)
    else if (typeof field.value !== 'string') this.fault(field.node, `"${name}" is a text.`)
    else if (notEmpty && field.value.trim() === '') this.fault(field.node, `"${name}" is empty.`)
    else if (field.value.length > most) this.fault(field.node, `"${name}" has more than ${most} characters.`)
    else if (oneLine && !isOneLine(field.value))
      this.fault(field.node, `"${name}" must be one line, without control characters and marks of direction.`)
    else return field.value
    return undefined
  }

  /** Reads a display name. */
  name(key: string): string | undefined {
    return this.text(key, { notEmpty: true, most: 255, oneLine: true })
  }

  textOf(node: unknown, otherwise: string): string | undefined {
    const value = jsonOf(this.#reading, node)
    if (typeof value === 'string') return value
    this.fault(node, otherwise)
    return undefined
  }

  boolean(name: string): boolean | undefined {
    const field = this.take(name)
    if (field && typeof field.value !== 'boolean') this.fault(field.node, `"${name}" is true or false.`)
    return typeof field?.value === 'boolean' ? field.value : undefined
  }

  integer(name: string, least: number, most: number): number | undefined {
    const field = this.take(name)
    if (!field) return undefined
    const { value } = field
    if (typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most) return value
    this.fault(field.node, `"${name}" is a whole number from ${least} to ${most}.`)
    return undefined
  }

  oneOf<const T extends string>(name: string, words: readonly T[]): T | undefined {
    const field = this.take(name)
    if (!field) return undefined
    const word = words.find(each => each === field.value)
    if (word === undefined) this.fault(field.node, `"${name}" is ${words.join(' or ')}.`)
    return word
  }

  /** The items of a list, to be read one by one. */
  list(name: string): { node: unknown }[] | undefined {
    const field = this.takeNode(name)
    if (!field) return undefined
    const list = this.#reading.yaml.resolve(field.node)
    if (isSeq(list)) return list.items.map(node => ({ node }))
    this.fault(field.node, `"${name}" is a list.`)
    return undefined
  }

  texts(name: string): string[] {
    return (this.list(name) ?? []).flatMap(({ node }) => this.textOf(node, `"${name}" is a list of texts.`) ?? [])
  }

  /** Names of variables with texts; numbers and booleans as they are written in the file: 1.10 is not 1.1. */
  environment(name: string): Record<string, string> {
    const field = this.takeNode(name)
    if (!field) return {}
    const entries = Fields.entriesOf(this.#reading, field.node, `"${name}" holds names with their values.`)
    return Object.fromEntries(
      entries.flatMap(({ name, key, node }) => {
        if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) this.fault(key, `"${name}" is no name of an environment variable.`)
        const written = node === key ? undefined : writtenText(this.#reading.yaml.resolve(node))
        if (written !== undefined) return [[name, written]]
        const value = node === key ? null : jsonOf(this.#reading, node)
        if (value === undefined) return []
        if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
          return [[name, String(value)]]
        this.fault(node, `The value of "${name}" is a text, a number, true or false.`)
        return []
      }),
    )
  }

  /** @param otherwise a better hint for some of them than the nearest known name */
  refuseOthers(otherwise: (name: string) => string | undefined = () => undefined): void {
    for (const { name, key } of this.#entries.values()) {
      if (this.#known.has(name)) continue
      const better = otherwise(name)
      if (better !== undefined) {
        this.fault(key, better)
        continue
      }
      const nearest = nearestTo(name, [...this.#known])
      const hint = nearest === undefined ? `known: ${[...this.#known].join(', ')}` : `did you mean "${nearest}"?`
      this.fault(key, `Unknown key "${name}"; ${hint}`)
    }
  }
}

/** A number or a boolean as written in the file; undefined for any other value, and for one without a file. */
const writtenText = (node: unknown): string | undefined =>
  isScalar(node) && ['number', 'bigint', 'boolean'].includes(typeof node.value) ? node.source : undefined

/** A node as JSON; undefined, with the faults recorded, if it is none. */
export function jsonOf({ yaml, faults }: Reading, node: unknown): unknown {
  const read = yamlToJson(yaml, node)
  if ('value' in read) return read.value
  faults.push(...read.faults)
  return undefined
}
