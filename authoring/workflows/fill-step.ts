import { isObject, type Json, type JsonObject } from '#platform/documents/document.ts'
import { type Filled, fillText, fillValue, holdsPlaceholder, isPlaceholder } from './placeholders.ts'
import { type RuledText, textRules } from './text-rules.ts'
import { workflowLimits } from './workflow-limits.ts'
import type { WorkflowError, WrittenStep } from './workflow-tree.ts'

/** Inserts properties into the values of one step. Faults are recorded at the place of the value. */
export class FillStep {
  readonly #step: WrittenStep
  readonly #properties: JsonObject
  readonly #errors: WorkflowError[]

  constructor(step: WrittenStep, properties: JsonObject, errors: WorkflowError[]) {
    this.#step = step
    this.#properties = properties
    this.#errors = errors
  }

  /** @param name of the value, as in `places`; a value without a place of its own is reported at its step */
  fail(name: string, message: string): undefined {
    const { places } = this.#step
    this.#errors.push({ ...(places[name] ?? places['']!), message })
  }

  text(name: RuledText, written: string | undefined): string | undefined {
    return written === undefined ? undefined : this.#text(name, name, written)
  }

  /** Fills a list of texts. A text that is a placeholder of a list is replaced by all of its items. */
  texts(key: RuledText, written: readonly string[]): string[] {
    const all = written.flatMap((each, i) => {
      const name = `${key}/${i}`
      const list = isPlaceholder(each) ? fillValue(each, this.#properties) : undefined
      if (!list || !('value' in list) || !Array.isArray(list.value)) return this.#text(name, key, each) ?? []
      const items = list.value as readonly Json[]
      if (items.length === 0) this.fail(name, `The property ${each} is an empty list.`)
      return items.flatMap(item => this.#item(name, key, item) ?? [])
    })
    if (all.length > workflowLimits.times) this.fail(`${key}/0`, `"${key}" names more than ${workflowLimits.times}.`)
    return all
  }

  number(name: string, written: number | string | undefined, most: number): number | undefined {
    if (typeof written !== 'string') return written
    const value = this.#known(name, fillValue(written, this.#properties))
    if (value === undefined) return undefined
    const counted = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value
    if (typeof counted === 'number' && Number.isInteger(counted) && counted >= 1 && counted <= most) return counted
    return this.fail(name, `"${name}" is a whole number from 1 to ${most}.`)
  }

  /**
   * Fills the property overrides. A placeholder is replaced by a document; in a workflow step, which may have several,
   * also by a list of documents.
   */
  documents(written: readonly (JsonObject | string)[]): JsonObject[] {
    const all = written.flatMap((each, i) => {
      const name = `property_overrides/${i}`
      const missing = missingIn(name, each, this.#properties)
      for (const [at, path] of missing) this.#missing(at, path)
      const filled = fillValue(each, this.#properties)
      if (missing.length > 0 || !('value' in filled)) return []
      const isList = this.#step.type === 'workflow' && Array.isArray(filled.value)
      const list = isList ? (filled.value as readonly Json[]) : [filled.value]
      if (list.length > 0 && list.every(isObject)) return list
      return (
        this.fail(name, `${each} is no object${this.#step.type === 'workflow' ? ' and no list of objects' : ''}.`) ?? []
      )
    })
    if (all.length > workflowLimits.times)
      this.fail('property_overrides/0', `"property_overrides" holds more than ${workflowLimits.times} objects.`)
    return all
  }

  #text(name: string, rule: RuledText, written: string): string | undefined {
    if (!holdsPlaceholder(written)) return written
    const value = this.#known(name, fillText(written, this.#properties))
    return value === undefined ? undefined : this.#item(name, rule, value)
  }

  #item(name: string, rule: RuledText, value: Json): string | undefined {
    if (typeof value !== 'string') return this.fail(name, `${JSON.stringify(value)} is no text.`)
    const fault = textRules[rule](value)
    return fault === undefined ? value : this.fail(name, fault)
  }

  #known<T>(name: string, filled: Filled<T>): T | undefined {
    if ('value' in filled) return filled.value
    for (const path of filled.unknown) this.#missing(name, path)
    return undefined
  }

  #missing(name: string, path: string): void {
    this.fail(name, `The project has no property "${path}".`)
  }
}

/** Unknown properties that the texts of a document name, each with the place of its text. */
function missingIn(name: string, value: Json, properties: JsonObject): [string, string][] {
  if (Array.isArray(value))
    return (value as readonly Json[]).flatMap((each, i) => missingIn(`${name}/${i}`, each, properties))
  if (isObject(value))
    return Object.entries(value).flatMap(([key, each]) => missingIn(`${name}/${key}`, each, properties))
  const filled = fillValue(value, properties)
  return 'unknown' in filled ? filled.unknown.map(path => [name, path] as [string, string]) : []
}
