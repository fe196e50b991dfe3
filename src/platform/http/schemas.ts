import type { Column, Kind, Relationship, Resource } from '../jsonapi/resource.ts'
import { shown, shownColumns } from '../jsonapi/shape.ts'
import type { AnySchema } from '../jsonapi/should-be.ts'

/** A JSON Schema as plain data. */
export type Schema = Readonly<Record<string, unknown>>

const byKind: Record<Kind, Schema> = {
  text: { type: 'string' },
  integer: { type: 'integer' },
  number: { type: 'number' },
  boolean: { type: 'boolean' },
  time: { type: 'string', format: 'date-time' },
  id: { type: 'string', format: 'uuid' },
  json: {},
  opaque: {},
}

export const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` })

export const identifier: Schema = object(
  { type: { type: 'string' }, id: { type: 'string' } },
  { required: ['type', 'id'] },
)

const links: Schema = { type: 'object', additionalProperties: { type: 'string' } }

const meta: Schema = { type: 'object' }

export function object(properties: Record<string, unknown>, more: Schema = {}): Schema {
  return { type: 'object', additionalProperties: false, properties, ...more }
}

/** Schema of a column's values in responses. */
function columnSchema(column: Column): Schema {
  const byItself = column.values ? { enum: [...column.values] } : byKind[column.kind]
  const { description, ...rule } = { ...((column.schema ?? byItself) as AnySchema) }
  const described = { description: column.describe || description }
  if (!column.nullable || !Object.keys(rule).length) return { ...rule, ...described }
  if (!rule.anyOf && !rule.enum && typeof rule.type === 'string')
    return { ...rule, type: [rule.type, 'null'], ...described }
  return { anyOf: [rule, { type: 'null' }], ...described }
}

/** Responses that a schema describes: of a single record, or of lists, which leave some of it out. */
type Where = 'alone' | 'in lists'

/**
 * Schema of a resource object. Required are the members that every record has in a full response; `fields[…]` may leave
 * out any of them.
 */
export function resourceSchema(resource: Resource, where: Where = 'alone'): Schema {
  const single = where === 'alone'
  const columns = shownColumns(resource, single)
  const left = single ? new Set<string>() : leftOutOfLists(resource)
  const always = (name: string, { when }: { readonly when?: unknown }) => when === undefined && !left.has(name)
  const required = (all: readonly (readonly [string, { readonly when?: unknown }])[]) => {
    const names = all.filter(([name, each]) => always(name, each)).map(([name]) => name)
    return names.length > 0 ? { required: names } : {}
  }
  const attributes = columns.map(([name, column]) => [name, columnSchema(column)])
  const related = Object.entries(shown(resource, single))
  const relationships = related.map(([name, each]) => [name, relationshipSchema(each)])
  const open = resource.dynamic || resource.dynamicAttributes ? { additionalProperties: true } : {}
  const description = single ? resource.describe : `${resource.describe} As lists have it.`
  return object(
    {
      type: resource.types ? { enum: [...resource.types.all] } : { const: resource.type },
      id: { type: 'string', format: 'uuid' },
      attributes: object(Object.fromEntries(attributes), { ...open, ...required(columns) }),
      ...(relationships.length && {
        relationships: object(Object.fromEntries(relationships), required(related)),
      }),
      links,
      meta,
    },
    { description, required: ['type', 'id', 'attributes', 'links'] },
  )
}

/** Attributes that a parameter of one of its lists excludes. */
const leftOutOfLists = ({ lists }: Resource): ReadonlySet<string> =>
  new Set(lists.flatMap(({ without }) => without?.(everySwitch) ?? []))

/** A query in which every switch is on. */
const everySwitch: Readonly<Record<string, string>> = new Proxy({}, { get: () => 'true' })

/** Whether its lists show less than the response for a single record. */
export const differsInLists = (resource: Resource): boolean =>
  resource.lists.length > 0 &&
  ([...Object.values(resource.columns), ...Object.values(resource.relationships ?? {})].some(each => each.showOnly) ||
    leftOutOfLists(resource).size > 0)

export const nameInLists = ({ type }: Resource): string => `${type}_in_lists`

/** The schema of its lists. */
export const inLists = (resource: Resource): string =>
  differsInLists(resource) ? nameInLists(resource) : resource.type

function relationshipSchema(relationship: Relationship): Schema {
  const { kind, describe } = relationship
  const data =
    kind === 'one' ? { anyOf: [ref('identifier'), { type: 'null' }] } : { type: 'array', items: ref('identifier') }
  if (!('bounded' in relationship)) return object({ data, links }, { description: describe, required: ['data'] })
  const cut = object({ partial_response: { type: 'boolean' } }, { required: ['partial_response'] })
  return object({ data, links, meta: cut }, { description: describe, required: ['data'] })
}

const included: Schema = { type: 'array', items: { type: 'object' } }

export const oneDocument = (type: string): Schema => object({ data: ref(type), included, meta }, { required: ['data'] })

export const listDocument = (type: string): Schema =>
  object(
    {
      data: { type: 'array', items: ref(type) },
      included,
      links: object({ self: { type: 'string' }, next: { type: 'string' } }, { required: ['self'] }),
      meta: object(
        {
          authorisations: object(
            { update: { type: 'boolean' }, delete: { type: 'boolean' } },
            { required: ['update', 'delete'] },
          ),
          partial_response: { type: 'boolean' },
          total: { type: 'integer' },
          total_exact: { type: 'boolean' },
          counts: { type: 'object', additionalProperties: { type: 'integer' } },
          counts_exact: { type: 'boolean' },
        },
        { required: ['authorisations', 'partial_response'] },
      ),
    },
    { required: ['data', 'links', 'meta'] },
  )

export const errorsDocument = (codes: readonly string[]): Schema =>
  object(
    {
      errors: {
        type: 'array',
        minItems: 1,
        items: object(
          {
            id: { type: 'string' },
            status: { type: 'string', pattern: '^[45][0-9]{2}$' },
            code: { type: 'string', enum: [...codes, 'bug'] },
            title: { type: 'string' },
            detail: { type: 'string' },
            source: object({
              pointer: { type: 'string' },
              parameter: { type: 'string' },
              header: { type: 'string' },
            }),
            meta: { type: 'object' },
          },
          { required: ['status', 'code', 'title'] },
        ),
      },
    },
    { required: ['errors'] },
  )
