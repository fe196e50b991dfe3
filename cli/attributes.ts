import type { Field } from '../client/operation.ts'
import { readDocument } from './read-document.ts'
import { WrongUsage } from './wrong-usage.ts'

type Value = unknown

/**
 * Parses attributes from arguments: `name=Bank`, `archived=true`, `description=` (null if the attribute is nullable),
 * `ssh_key_data=@file`, `password=@-` (standard input), `data.web.port=8080` and `data[runner.sandbox]=false` for one
 * value in an object. Values of unknown attributes are sent as text; the service validates them.
 *
 * The types of values in an object are not known: see `anyValue`.
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

/** Splits an argument into name, keys and text: `a.b[c.d]=x` gives `a`, [`b`, `c.d`], `x`. */
export function split(word: string): { name: string; keys: string[]; text: string } {
  const at = word.indexOf('=')
  if (at <= 0) throw new WrongUsage(`"${word}" should be name=value.`)
  const pieces = [...word.slice(0, at).matchAll(/\[([^\]]*)\]|[^.[]+/g)].map(([piece, bracketed]) => bracketed ?? piece)
  const [name = '', ...keys] = pieces
  return { name, keys, text: word.slice(at + 1) }
}

/** Sets a value in nested objects, creating the missing ones. */
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

/** Whether the value is a cron nickname, which starts with @ like a file name: `cron_schedule=@daily`. */
const isCronNickname = (word: string, text: string): boolean =>
  /^cron_schedule=/.test(word) && /^@(yearly|annually|monthly|weekly|daily|midnight|hourly)$/i.test(text)

const literals = new Map<string, Value>([
  ['', null],
  ['null', null],
  ['true', true],
  ['false', false],
])

/**
 * Parses a value of unknown type. It becomes something other than text only if no information is lost: YAML would turn
 * the account 007 into 7, the release 1.10 into 1.1, the text `#1` into nothing and a key of five lines into one line.
 *
 *     true false null 8080 0.5       the literal value; an empty text is null
 *     [1, 2]  {port: 1}  "8080"      JSON or YAML on one line
 *     @data.yaml  @data.json         parsed content of the file; the text of any other file
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

/** Expands `@name` to the content of the file and `@@` to a literal @. The newline of a single line is dropped. */
function contents(text: string, readFile: (name: string) => string): string {
  if (text.startsWith('@@')) return text.slice(1)
  if (!text.startsWith('@')) return text
  const whole = readFile(text.slice(1))
  return /^[^\n]*\n$/.test(whole) ? whole.replace(/\r?\n$/, '') : whole
}

/** Parses YAML, of which JSON is a subset. */
function yaml(word: string, text: string): Value {
  try {
    return readDocument(text)
  } catch (error) {
    const [reason] = (error as Error).message.split('\n')
    throw new WrongUsage(`"${word.slice(0, 80)}" is neither YAML nor JSON: ${reason}`)
  }
}
