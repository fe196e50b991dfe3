import type { InputArgument } from '#authoring/actions/action.ts'
import { shortestSecret } from '#authoring/shortest-secret.ts'
import { fromJson } from '#json/from-json.ts'
import { equal, isObject, type Json, type JsonObject, objectOf } from '#platform/documents/document.ts'
import { Failure, type Fault } from '#platform/failure.ts'
import { pointerPart } from '#platform/jsonapi/json.ts'
import { mostSearched, nearestTo, type Search } from '#platform/nearest-name.ts'
import { hidden } from '../settings/index.ts'

/** A value for an argument, of the argument's type. */
export interface Taken {
  readonly argument: InputArgument
  readonly value: Json
}

/**
 * Values that an input step continues with: the given ones, converted to the types of their arguments, and the defaults
 * of those that were not given, or were sent back as they are shown (`{{hidden}}`). An argument is identified by its
 * name; two arguments of one name, which have different paths, by path and name (`/release/version`).
 *
 * @throws Failure (422) with all faults of the values
 */
export function takenArguments(asked: readonly InputArgument[], given: JsonObject): Taken[] {
  const at = '/data/attributes/input_arguments'
  const fault = (name: string, detail: string, code: Fault['code'] = 'invalid'): Fault => ({
    code,
    detail,
    source: { pointer: `${at}/${pointerPart(name)}` },
  })
  const keys = asked.map(argument => keyOf(argument, asked))
  const search = mostSearched()
  const faults = Object.keys(given).flatMap(name =>
    keys.includes(name) ? [] : [fault(name, `The step does not ask for ${name}${meant(name, keys, search)}`)],
  )
  const taken = asked.flatMap((argument, at): Taken[] => {
    const key = keys[at]!
    const stated = Object.hasOwn(given, key) ? given[key] : null
    const asShown = argument.sensitive && stated === hidden
    const value = stated === null || asShown ? undefined : stated
    if (value === undefined) {
      const byDefault = argument.default_value as Json | undefined
      const tooShort = byDefault === undefined ? undefined : lackOfLength(argument, `The default of ${key}`, byDefault)
      if (tooShort !== undefined) faults.push(fault(key, tooShort))
      else if (byDefault !== undefined) return [{ argument, value: byDefault }]
      else if (asShown)
        faults.push(fault(key, `${hidden} keeps the default, and ${key} has none: write the value itself.`))
      else if (argument.required) faults.push(fault(key, `${key} is required: ${shouldBe(argument)}.`, 'required'))
      return []
    }
    const converted = converters[argument.type](value)
    const wrong =
      converted === undefined ? `${key} should be ${shouldBe(argument)}.` : refusal(argument, key, converted)
    if (wrong === undefined) return [{ argument, value: converted! }]
    faults.push(fault(key, wrong))
    return []
  })
  const [first, ...others] = faults
  if (first) throw new Failure([first, ...others])
  return taken
}

/** Whether no person is needed: every argument has a default. */
export const goesOnByItself = (asked: readonly Pick<InputArgument, 'default_value'>[]): boolean =>
  asked.every(({ default_value }) => default_value !== undefined)

/** JSON pointer of an argument's value in the property overrides of its change. */
export const placeOf = ({ path, name }: Pick<InputArgument, 'path' | 'name'>): string => `${path}/${pointerPart(name)}`

/**
 * The overrides with these values set at path and name; missing objects on the way are created.
 *
 * @throws Failure (422) if something on the way is not an object
 */
export function withArguments(overrides: JsonObject, taken: readonly Taken[]): JsonObject {
  return taken.reduce((document, { argument, value }) => {
    const keys = placeOf(argument)
      .slice(1)
      .split('/')
      .map(part => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    return put(document, keys, value, argument)
  }, overrides)
}

function put(into: JsonObject, [key, ...below]: readonly string[], value: Json, argument: InputArgument): JsonObject {
  const there = Object.hasOwn(into, key!) ? into[key!] : undefined
  if (below.length > 0 && there !== undefined && !isObject(there))
    throw new Failure([
      {
        code: 'invalid',
        detail: `${argument.name} belongs at ${placeOf(argument)}, and the change's properties have a value there that is no object.`,
        source: { pointer: `/data/attributes/input_arguments/${pointerPart(argument.name)}` },
      },
    ])
  const own = below.length === 0 ? value : put((there as JsonObject | undefined) ?? {}, below, value, argument)
  return objectOf([...Object.entries(into).filter(([name]) => name !== key), [key!, own]])
}

function keyOf(argument: InputArgument, asked: readonly InputArgument[]): string {
  const isAlone = asked.filter(({ name }) => name === argument.name).length === 1
  return isAlone ? argument.name : placeOf(argument)
}

function meant(name: string, keys: readonly string[], search: Search): string {
  const close = nearestTo(name, keys, search)
  if (close) return `; did you mean ${close}?`
  return keys.length === 0 ? ': it asks for nothing.' : `; it asks for ${keys.join(', ')}.`
}

function refusal(argument: InputArgument, key: string, value: Json): string | undefined {
  const { valid_values, sensitive } = argument
  if (valid_values && !valid_values.some(valid => equal(valid as Json, value)))
    return `${key} is none of its valid values${sensitive ? '' : `: ${valid_values.map(each => JSON.stringify(each)).join(', ')}`}.`
  return lackOfLength(argument, key, value)
}

const lackOfLength = ({ sensitive }: InputArgument, what: string, value: Json): string | undefined =>
  sensitive && String(value).length < shortestSecret
    ? `${what} is sensitive, and has at least ${shortestSecret} characters: shorter ones cannot be masked in logs.`
    : undefined

const shouldBe = ({ type, valid_values, sensitive }: InputArgument): string =>
  valid_values && !sensitive ? `one of ${valid_values.map(each => JSON.stringify(each)).join(', ')}` : words[type]

const words: Readonly<Record<InputArgument['type'], string>> = {
  string: 'a text',
  integer: 'a whole number',
  float: 'a number',
  boolean: 'true or false',
  date: 'a date, such as 2026-11-21',
  array: 'a list',
  object: 'an object',
}

/** Values from forms and command lines, which are texts only, are converted to the type of their argument. */
const converters: Readonly<Record<InputArgument['type'], (value: Json) => Json | undefined>> = {
  string: value => (typeof value === 'object' ? undefined : String(value)),
  integer: value => {
    const number = typeof value === 'string' && /^[+-]?\d+$/.test(value.trim()) ? Number(value) : value
    return Number.isSafeInteger(number) ? number : undefined
  },
  float: value => {
    const isNumber = typeof value === 'string' && /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(value.trim())
    const number = isNumber ? Number(value) : value
    return typeof number === 'number' && Number.isFinite(number) ? number : undefined
  },
  boolean: value => {
    if (typeof value === 'boolean') return value
    const word = typeof value === 'string' ? value.trim().toLowerCase() : undefined
    return word === 'true' ? true : word === 'false' ? false : undefined
  },
  date: value => (typeof value === 'string' && isDate(value.trim()) ? value.trim() : undefined),
  array: value => (typeof value === 'string' ? parsed(value, Array.isArray) : Array.isArray(value) ? value : undefined),
  object: value => (typeof value === 'string' ? parsed(value, isObject) : isObject(value) ? value : undefined),
}

/** Whether a text is a date; 30 February is none. */
const isDate = (text: string): boolean => {
  const time = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text)
}

function parsed(text: string, is: (value: unknown) => boolean): Json | undefined {
  try {
    const value = fromJson(text) as Json
    return is(value) ? value : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
