import { Ajv2020 } from 'ajv/dist/2020.js'
import type { TSchema } from 'typebox'
import type { Fault } from '../failure.ts'
import { addOwnFormats } from './formats.ts'
import { truth } from './kinds.ts'
import type { Query } from './query-string.ts'
import { shouldBe } from './should-be.ts'

export type Parameters = Readonly<Record<string, { schema: TSchema; describe: string; required?: true }>>

/** Parameters of every list, and of every response that shows records. */
const ofPlainLists = new Set(['include', 'limit', 'page[after]', 'total', 'download'])
const ofLists = new Set(['filter[m]', 'filter[sorts]', 'count_by', ...ofPlainLists])
const ofShows = new Set(['include'])

// As for bodies: a test validates our own schemas against JSON Schema.
const ajv = new Ajv2020({ strict: false, coerceTypes: true, validateSchema: false })
addOwnFormats(ajv)
const validators = new WeakMap<object, ReturnType<typeof ajv.compile>>()

export interface Takes {
  /**
   * Kind of content of the endpoint, which determines the general parameters: a document of a view has only `fields`.
   */
  readonly shows: 'list' | 'plain list' | 'records' | 'document'
  readonly own: Parameters
}

/**
 * The query with its booleans written `true` or `false`. Unknown parameters are refused: a caller who mistypes `limit`
 * would otherwise take the list for complete.
 */
export function readParameters(query: Query, takes: Takes, faults: Fault[]): Query {
  const read: Record<string, string | string[]> = Object.create(null)
  for (const [name, value] of Object.entries(query)) {
    const own = Object.hasOwn(takes.own, name) ? takes.own[name] : undefined
    if (own) read[name] = readOwn(name, value, own.schema, faults)
    else if (general[takes.shows].has('total') && name === 'total')
      read[name] = readOwn(name, value, { type: 'boolean' } as TSchema, faults)
    else if (isGeneral(name, takes.shows)) read[name] = value
    else faults.push(unknown(name, takes))
  }
  for (const [name, { required, describe }] of Object.entries(takes.own)) {
    if (!required || query[name] !== undefined) continue
    faults.push({ code: 'missing-parameter', detail: `${name} is needed: ${describe}`, source: { parameter: name } })
  }
  return read
}

const general = {
  list: ofLists,
  'plain list': ofPlainLists,
  records: ofShows,
  document: new Set<string>(),
} as const

function isGeneral(name: string, shows: Takes['shows']): boolean {
  if (/^fields\[[^\]]*\]$/.test(name) || general[shows].has(name)) return true
  return shows === 'list' && /^filter\[.*\]$/s.test(name)
}

function unknown(name: string, { shows, own }: Takes): Fault {
  const known = new Set([
    ...Object.keys(own),
    ...(shows === 'list' ? ['filter[…]'] : []),
    ...general[shows],
    'fields[…]',
  ])
  const detail = `There is no parameter "${name.slice(0, 100)}" here. Known: ${[...known].join(', ')}.`
  return { code: 'unknown-parameter', detail, source: { parameter: name.slice(0, 100) } }
}

function readOwn(name: string, value: string | string[], schema: TSchema, faults: Fault[]): string | string[] {
  const { type, anyOf = [{ type }] } = schema as { type?: string; anyOf?: { type?: string | undefined }[] }
  const takes = (kind: string) => anyOf.some(each => each.type === kind)
  const isNumber = takes('integer') && /^\d+$/.test(String(value))
  const given = takes('boolean') && !isNumber && typeof value === 'string' ? String(truth(value) ?? value) : value
  const looksRight = type !== 'integer' || (typeof given === 'string' && /^-?\d{1,15}$/.test(given))
  if (!looksRight || !validatorOf(schema)({ value: given })) {
    faults.push({ code: 'wrong-kind', detail: `${name} should be ${shouldBe(schema)}.`, source: { parameter: name } })
  }
  return given
}

function validatorOf(schema: TSchema) {
  const known = validators.get(schema) ?? ajv.compile({ type: 'object', properties: { value: schema } })
  validators.set(schema, known)
  return known
}
