import type { Field } from '../client/operation.ts'
import { readDocument } from './read-document.ts'
import { WrongUsage } from './wrong-usage.ts'

type Value = unknown

/**
 * Attributes from words: `name=Bank`, `archived=true`, `description=` (null, where that may be), `ssh_key_data=@file`,
 * `password=@-` (standard input), `data.web.port=8080` and `data[runner.sandbox]=false` for one value within an object.
 * What an attribute is not known to be is sent as text, and the service says what is wrong with it.
 *
 * Within an object nobody knows the kinds: see `anyValue`.
 */
export function attributesFrom(
  words: readonly string[],
  fields: Readonly<Record<string, Field>>,
  readFile: (name: string) => string,
): Record<string, Value> {
  const attributes: Record<string, Value> = {}
  for (const word of words) {
    const { name, keys, text } = split(word)
    const field = fields[name]
    if (keys.length > 0) setWithin(attributes, [name, ...keys], anyValue(word, text, readFile))
    else if (field?.kind === 'list' && Array.isArray(attributes[name]))
      (attributes[name] as Value[]).push(...(parsedValue(word, field, text, readFile) as Value[]))
    else attributes[name] = parsedValue(word, field, text, readFile)
  }
  return attributes
}

/** `a.b[c.d]=x` is `a`, `b`, `c.d`. */
export function split(word: string): { name: string; keys: string[]; text: string } {
  const at = word.indexOf('=')
  if (at <= 0) throw new WrongUsage(`"${word}" should be name=value.`)
  const pieces = [...word.slice(0, at).matchAll(/\[([^\]]*)\]|[^.[]+/g)].map(([piece, bracketed]) => bracketed ?? piece)
  const [name = '', ...keys] = pieces
  return { name, keys, text: word.slice(at + 1) }
}

/** Sets one value deep within objects, and makes those that are not there yet. */
export function setWithin(into: Record<string, Value>, keys: readonly string[], value: Value): void {
  const [key = '', ...rest] = keys
  if (rest.length === 0) {
    into[key] = value
    return
  }
  if (typeof into[key] !== 'object' || into[key] === null || Array.isArray(into[key])) into[key] = {}
  setWithin(into[key] as Record<string, Value>, rest, value)
}

function parsedValue(word: string, field: Field | undefined, text: string, readFile: (name: string) => string): Value {
  if (field?.nullable && text === '') return null
  if (isCronNickname(word, text)) return text
  const value = contents(text, readFile)
  switch (field?.kind) {
    case 'boolean':
    case 'integer':
    case 'number':
      return scalar(word, field.kind, value)
    case 'list': {
      const list = value.trimStart().startsWith('[') || text.startsWith('@') ? yaml(word, value) : [value]
      return Array.isArray(list) ? list : [list]
    }
    case 'object':
      return yaml(word, value)
    case 'any':
      return anyValue(word, text, readFile)
    default:
      return value
  }
}

/** Nicknames of cron begin with @, as files do: `cron_schedule=@daily`. */
const isCronNickname = (word: string, text: string): boolean =>
  /^cron_schedule=/.test(word) && /^@(yearly|annually|monthly|weekly|daily|midnight|hourly)$/i.test(text)

const literals = new Map<string, Value>([
  ['', null],
  ['null', null],
  ['true', true],
  ['false', false],
])

/**
 * A value whose kind nobody knows. It is taken for more than text only where nothing of it is lost: YAML would make an
 * account 007 seven, a release 1.10 the number 1.1, the text `#1` nothing, and of a key with five lines one.
 *
 *     true false null 8080 0.5       are that; nothing at all is null
 *     [1, 2]  {port: 1}  "8080"      JSON, or YAML on a line
 *     @data.yaml  @data.json         what the file says; of any other file the text
 *     anything else                  text
 */
function anyValue(word: string, text: string, readFile: (name: string) => string): Value {
  const value = contents(text, readFile)
  if (text.startsWith('@')) return /^@[^@].*\.(ya?ml|json)$/i.test(text) ? yaml(word, value) : value
  if (literals.has(value)) return literals.get(value)
  if (/^-?\d/.test(value) && String(Number(value)) === value) return Number(value)
  return /^(\[|\{(?!\{)|"(?=.*"$)|'(?=.*'$))/s.test(value) ? yaml(word, value) : value
}

function scalar(word: string, kind: 'boolean' | 'integer' | 'number', text: string): Value {
  if (kind === 'boolean') {
    if (text === 'true' || text === 'false') return text === 'true'
  } else if (/^-?\d+(\.\d+)?$/.test(text) && (kind === 'number' || Number.isSafeInteger(Number(text)))) {
    return Number(text)
  }
  const right = { boolean: 'true or false', integer: 'a whole number', number: 'a number' }[kind]
  throw new WrongUsage(`"${word}": the value should be ${right}.`)
}

/** `@name` is what the file holds; `@@` begins a text with @. Of a single line its end is left out. */
function contents(text: string, readFile: (name: string) => string): string {
  if (text.startsWith('@@')) return text.slice(1)
  if (!text.startsWith('@')) return text
  const whole = readFile(text.slice(1))
  return /^[^\n]*\n$/.test(whole) ? whole.replace(/\r?\n$/, '') : whole
}

/** JSON and YAML alike. */
function yaml(word: string, text: string): Value {
  try {
    return readDocument(text)
  } catch (error) {
    const [reason] = (error as Error).message.split('\n')
    throw new WrongUsage(`"${word.slice(0, 80)}" is neither YAML nor JSON: ${reason}`)
  }
}
