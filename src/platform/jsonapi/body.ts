import type { TSchema } from 'typebox'
import { Failure, type Fault, failure } from '../failure.ts'
import { parseJson, pointerPart } from './json.ts'
import type { AnySchema } from './should-be.ts'
import { withTimesCut } from './times.ts'
import { invalidIn } from './validate.ts'

/** Body of an endpoint. */
export interface TakesBody {
  readonly attributes?: TSchema
  readonly relationships?: readonly string[]
  readonly meta?: TSchema
  readonly patches?: true
  readonly method?: string
}

/** A request body whose form has been checked. */
export interface Body {
  readonly type?: string
  readonly id?: string
  readonly attributes: Readonly<Record<string, unknown>>
  readonly relationships: Readonly<Record<string, string>>
  readonly meta: Readonly<Record<string, unknown>>
  readonly patch?: { readonly kind: 'merge' | 'json'; readonly value: unknown }
  /** Faults of the values (422), reported after 404, 403, 412 and 409. */
  readonly invalid: readonly Fault[]
}

type Members = Record<string, unknown>

const patchTypes = { 'application/merge-patch+json': 'merge', 'application/json-patch+json': 'json' } as const

const emptyBody: Body = { attributes: {}, relationships: {}, meta: {}, invalid: [] }

/**
 * Reads `{data: {type?, id?, attributes, relationships?, meta?}, meta?}`. Throws if the request as a whole is
 * unreadable; reports all unknown members at once; returns invalid values as faults for later.
 */
export function readBody(contentType: string | undefined, bytes: Uint8Array, takes: TakesBody): Body {
  if (!bytes.length && !needsBody(takes)) return emptyBody
  // An empty body has no media type: then the fault is that the body is missing.
  const kind = bytes.length === 0 && contentType === undefined ? 'envelope' : mediaKind(contentType, takes)
  if (!bytes.length) throw failure('malformed-envelope', 'The body is missing: {"data": {"attributes": {…}}}.')
  const { value, faults } = parseJson(bytes)
  if (kind === 'merge' && isEnvelope(value)) throw envelopeAsPatch()
  if (kind !== 'envelope') return { ...emptyBody, patch: { kind, value }, invalid: faults }
  return readEnvelope(value, takes, faults)
}

/**
 * Whether a request must have a body. An update has one, if only to say that nothing changes: a client that sends none
 * has forgotten it.
 */
const needsBody = ({ attributes, method }: TakesBody) =>
  Boolean((attributes as AnySchema | undefined)?.required?.length || (attributes && method === 'PATCH'))

const ofEnvelope = new Set(['data', 'meta', 'jsonapi', 'links', 'included'])
const ofData = new Set(['type', 'id', 'lid', 'attributes', 'relationships', 'meta', 'links'])

/**
 * Whether a merge patch has the form of a JSON:API document, which would become part of the document that it patches.
 */
function isEnvelope(value: unknown): boolean {
  if (!isMembers(value) || !isMembers(value['data'])) return false
  const { data } = value
  const fits =
    Object.keys(value).every(name => ofEnvelope.has(name)) && Object.keys(data).every(each => ofData.has(each))
  return fits && (isMembers(data['attributes']) || typeof data['type'] === 'string')
}

const envelopeAsPatch = () =>
  failure(
    'malformed-envelope',
    'A merge patch is the change of the document itself; this body is a JSON:API envelope. Send what is to change without the envelope, or the envelope as application/vnd.api+json. Members that are really called so are written by a JSON Patch.',
    { source: { header: 'content-type' } },
  )

function mediaKind(contentType: string | undefined, takes: TakesBody): 'envelope' | 'merge' | 'json' {
  const [mediaType = '', ...parameters] = (contentType ?? '')
    .toLowerCase()
    .split(';')
    .map(part => part.trim())
  const odd = parameters.find(each => !/^(charset="?utf-8"?|profile=.*|)$/.test(each))
  if (!odd && (mediaType === 'application/vnd.api+json' || mediaType === 'application/json')) return 'envelope'
  if (!odd && takes.patches && Object.hasOwn(patchTypes, mediaType)) {
    return patchTypes[mediaType as keyof typeof patchTypes]
  }
  const known = ['application/vnd.api+json', 'application/json', ...(takes.patches ? Object.keys(patchTypes) : [])]
  throw failure('unsupported-media-type', `The body should be ${known.join(' or ')}, in UTF-8.`, {
    source: { header: 'content-type' },
  })
}

function readEnvelope(value: unknown, takes: TakesBody, tooBig: readonly Fault[]): Body {
  const faults: Fault[] = []
  const envelope = members(value, '', ['data', 'meta', 'jsonapi', 'links'], faults)
  if (envelope && (envelope['data'] === undefined || envelope['data'] === null)) {
    const detail = 'The body is {"data": {"attributes": {…}}}; data is missing.'
    faults.push({ code: 'malformed-envelope', detail, source: { pointer: '/data' } })
  }
  const known = ['type', 'id', 'lid', 'attributes', 'relationships', 'meta', 'links']
  const data = members(envelope?.['data'] ?? {}, '/data', known, faults) ?? {}
  const attributes = members(data['attributes'] ?? {}, '/data/attributes', undefined, faults) ?? {}
  const meta = { ...optional(envelope?.['meta'], '/meta', faults), ...optional(data['meta'], '/data/meta', faults) }
  const relationships = readRelationships(data['relationships'], takes, faults)
  const type = text(data, 'type', faults)
  const id = text(data, 'id', faults)
  nameUnknown(attributes, takes.attributes, '/data/attributes', faults)
  nameUnknown(meta, takes.meta, '/data/meta', faults)
  if (faults.length) throw new Failure(faults as [Fault, ...Fault[]])

  const invalid = [
    ...tooBig,
    ...(takes.attributes ? invalidIn(takes.attributes, attributes, '/data/attributes') : []),
    ...(takes.meta ? invalidIn(takes.meta, meta, '/data/meta') : []),
  ]
  return {
    ...(type !== undefined && { type }),
    ...(id !== undefined && { id }),
    attributes: withTimesCut(takes.attributes, without(attributes, invalid, '/data/attributes')),
    meta: without(meta, invalid, '/data/meta'),
    relationships,
    invalid,
  }
}

const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function members(value: unknown, pointer: string, known: string[] | undefined, faults: Fault[]): Members | undefined {
  if (!isMembers(value)) {
    faults.push({
      code: 'malformed-envelope',
      detail: `${pointer || 'The body'} should be an object.`,
      source: { pointer },
    })
    return undefined
  }
  for (const name of Object.keys(value)) {
    if (!known || known.includes(name)) continue
    const detail = `${pointer || 'The body'} has no member "${name}"; it has ${known.join(', ')}.`
    faults.push({ code: 'malformed-envelope', detail, source: { pointer: `${pointer}/${pointerPart(name)}` } })
  }
  return value
}

const optional = (value: unknown, pointer: string, faults: Fault[]): Members =>
  value === undefined ? {} : (members(value, pointer, undefined, faults) ?? {})

function text(data: Members, name: 'type' | 'id', faults: Fault[]): string | undefined {
  const value = data[name]
  if (value === undefined || typeof value === 'string') return value
  faults.push({ code: 'malformed-envelope', detail: `${name} should be a text.`, source: { pointer: `/data/${name}` } })
  return undefined
}

/** Adds a fault for each unknown member, unless the schema allows any member (additionalProperties). */
function nameUnknown(values: Members, schema: TSchema | undefined, pointer: string, faults: Fault[]): void {
  const rule = (schema ?? {}) as AnySchema
  if (rule.additionalProperties === true || typeof rule.additionalProperties === 'object') return
  const known = Object.keys(rule.properties ?? {})
  for (const name of Object.keys(values)) {
    if (known.includes(name)) continue
    const takes = known.length ? `It takes ${known.join(', ')}.` : 'It takes none.'
    faults.push({
      code: 'unknown-attribute',
      detail: `"${name}" is no attribute that can be given here. ${takes}`,
      source: { pointer: `${pointer}/${pointerPart(name)}` },
    })
  }
}

function readRelationships(value: unknown, takes: TakesBody, faults: Fault[]): Record<string, string> {
  const ids: Record<string, string> = {}
  for (const [name, relationship] of Object.entries(optional(value, '/data/relationships', faults))) {
    const source = { pointer: `/data/relationships/${pointerPart(name)}` }
    if (!takes.relationships?.includes(name)) {
      const known = takes.relationships?.length ? `It takes ${takes.relationships.join(', ')}.` : 'It takes none.'
      faults.push({ code: 'unknown-relationship', detail: `"${name}" is no relationship here. ${known}`, source })
      continue
    }
    const target = isMembers(relationship) ? relationship['data'] : undefined
    if (isMembers(target) && typeof target['id'] === 'string') ids[name] = target['id']
    else faults.push({ code: 'malformed-envelope', detail: `${name} should be {"data": {"type", "id"}}.`, source })
  }
  return ids
}

/** Removes invalid values, so that `find` can rely on the types of what it gets. */
function without(values: Members, invalid: readonly Fault[], pointer: string): Members {
  const below = invalid.flatMap(({ source }) =>
    source?.pointer?.startsWith(`${pointer}/`) ? [source.pointer.slice(pointer.length + 1).split('/')[0]] : [],
  )
  return Object.fromEntries(Object.entries(values).filter(([name]) => !below.includes(pointerPart(name))))
}
