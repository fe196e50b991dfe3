import fc from 'fast-check'

/** A JSON schema in the OpenAPI document, as far as values are generated from it. */
interface Schema {
  readonly $ref?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly type?: string | readonly string[]
  readonly format?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
}

interface Parameter {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly schema?: Schema
}

/** One method of one path of an OpenAPI document. */
export interface DocumentedOperation {
  readonly method: string
  readonly path: string
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> }
}

export interface AnyRequest {
  readonly method: string
  /** Path and query. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly raw?: string
}

export interface Given {
  /** The OpenAPI document, for its references. */
  readonly document: object
  /** A valid value of a path parameter or attribute; undefined if none is known. */
  readonly known: (name: string, path: string) => string | undefined
}

/** Random requests of an operation based on its document: many members are valid, some are not. */
export function requestOf(operation: DocumentedOperation, given: Given): fc.Arbitrary<AnyRequest> {
  const { method, path, parameters = [], requestBody } = operation
  const schema = requestBody?.content['application/vnd.api+json']?.schema
  const values = new Values(given)
  return fc
    .record({
      path: values.path(path),
      query: fc.tuple(...parameters.filter(each => each.in === 'query').map(each => values.parameter(each)), strange),
      headers,
      raw: schema ? values.body(schema) : fc.constant(undefined),
    })
    .map(({ path, query, headers, raw }) => {
      const asked = query.filter(each => each !== '')
      const url = asked.length > 0 ? `${path}?${asked.join('&')}` : path
      return { method, url, headers, ...(raw !== undefined && { raw }) }
    })
}

class Values {
  readonly #given: Given

  constructor(given: Given) {
    this.#given = given
  }

  path(template: string): fc.Arbitrary<string> {
    const parts = template.split('/').map(part => {
      const name = /^\{(.+)\}$/.exec(part)?.[1]
      if (name === undefined) return fc.constant(part)
      const known = this.#given.known(name, template) ?? 'none'
      return mostly(15, fc.constant(known), texts).map(inUrl)
    })
    return fc.tuple(...parts).map(each => each.join('/'))
  }

  /** `name=value`, or nothing. */
  parameter({ name, required = false, schema = {} }: Parameter): fc.Arbitrary<string> {
    // "filter[…]" matches a filter of any attribute.
    const written = name.replace('[…]', '[id_eq]')
    const given = mostly(2, this.of(schema, name, 0), texts).map(
      value => `${inUrl(written)}=${inUrl(typeof value === 'string' ? value : JSON.stringify(value))}`,
    )
    return required ? mostly(15, given, fc.constant('')) : mostly(12, fc.constant(''), given)
  }

  body(schema: Schema): fc.Arbitrary<string> {
    const envelope = this.#resolved(this.#resolved(schema).properties?.['data'] ?? {})
    const attributes = this.of(envelope.properties?.['attributes'] ?? {}, 'attributes', 0)
    return mostly(
      30,
      attributes.map(each => ({ data: { attributes: each } })),
      hostile,
    ).map(body => JSON.stringify(body))
  }

  of(given: Schema, name: string, depth: number): fc.Arbitrary<unknown> {
    return mostly(9, this.#asAsked(this.#resolved(given), name, depth), hostile)
  }

  #asAsked(schema: Schema, name: string, depth: number): fc.Arbitrary<unknown> {
    if (schema.const !== undefined) return fc.constant(schema.const)
    if (schema.enum) return fc.constantFrom(...schema.enum)
    const alternatives = schema.anyOf ?? schema.oneOf
    if (alternatives) return fc.oneof(...alternatives.map(each => this.#asAsked(this.#resolved(each), name, depth)))
    const types = [schema.type ?? 'any'].flat()
    return fc.oneof(...types.map(type => this.#ofType(type, schema, name, depth)))
  }

  #ofType(type: string, schema: Schema, name: string, depth: number): fc.Arbitrary<unknown> {
    if (type === 'string') return this.#text(schema, name)
    if (type === 'integer') return fc.constantFrom(0, 1, 2, 60, schema.minimum ?? 5, schema.maximum ?? 100)
    if (type === 'number') return fc.constantFrom(0, 0.5, 1)
    if (type === 'boolean') return fc.boolean()
    if (type === 'null') return fc.constant(null)
    if (depth > 5) return fc.constant({})
    if (type === 'array') return fc.array(this.of(schema.items ?? {}, name, depth + 1), { maxLength: 3 })
    if (schema.properties) return this.#members(schema.properties, schema.required ?? [], depth)
    if (type === 'object') return fc.dictionary(fc.constantFrom('a', 'env', 'x y', '__proto__'), fc.jsonValue())
    return fc.jsonValue()
  }

  #text(schema: Schema, name: string): fc.Arbitrary<string> {
    const known = this.#given.known(name, '')
    if (known !== undefined) return mostly(3, fc.constant(known), texts)
    if (schema.format === 'date-time')
      return fc.constantFrom('2027-01-01T00:00:00Z', '2026-01-01T00:00:00.123456+02:00')
    return fc.oneof(
      fc.nat(50).map(each => `t${each}`),
      texts,
    )
  }

  #members(properties: Readonly<Record<string, Schema>>, required: readonly string[], depth: number) {
    const members = Object.entries(properties).map(([name, schema]) => {
      const member = this.of(schema, name, depth + 1).map(value => [[name, value] as const])
      return required.includes(name) ? mostly(15, member, fc.constant([])) : mostly(1, fc.constant([]), member)
    })
    return fc.tuple(...members).map(each => Object.fromEntries(each.flat()))
  }

  #resolved(schema: Schema): Schema {
    if (schema.$ref === undefined) return schema
    let found: unknown = this.#given.document
    for (const part of schema.$ref.split('/').slice(1)) found = (found as Record<string, unknown>)[part]
    return this.#resolved(found as Schema)
  }
}

/** Weighted choice between two. */
const mostly = <T, U>(times: number, one: fc.Arbitrary<T>, other: fc.Arbitrary<U>): fc.Arbitrary<T | U> =>
  fc.oneof({ weight: times, arbitrary: one }, { weight: 1, arbitrary: other })

/** A URL contains valid UTF-8 only, and servers limit its length. */
const inUrl = (text: string) => encodeURIComponent(text.slice(0, 500).toWellFormed())

/** Texts that a parser, a path, a glob, a date, a shell, a cron expression or a JavaScript object might mishandle. */
const texts = fc.constantFrom(
  ...[
    '',
    ' ',
    ' x',
    'a\u0000b',
    '\ud800',
    'x'.repeat(70_000),
    '\u202Eevil',
    'a\nb',
    '\uFEFF',
    'İ',
    '😀',
    '%00',
    '%2e%2e',
  ],
  ...['../../etc/passwd', '/', '//', 'a/b', '/projects/quarry', '*', '**', '[', '(', '\\', "'", '"', '$1', '-x', '{'],
  ...['null', 'true', '-1', '1e999', 'NaN', '__proto__', 'constructor', 'toString', '{{path}}', '{{a.b', '<%= 1 %>'],
  ...['2026-02-30', '0000-01-01T00:00:00Z', '99999-01-01T00:00:00Z', '2026-01-01T00:00:00+99:99', '25:61', '23:59:60'],
  ...['@reboot', '* * * * *', '*/0 * * * *', '0 0 31 2 *', 'Mars/Base', 'file:///etc', 'http://[::1', 'ssh://-oX=x/y'],
  ...[
    '--upload-pack=x',
    'secret://projects/quarry/db/password',
    'secret://',
    'steps: []',
    'steps: &a [*a]',
    '!!js "x"',
  ],
)

const numbers = [1.5, -1, 2_147_483_648, Number.MAX_SAFE_INTEGER, -0, 1e300]
/** Numbers in a form in which JavaScript writes none. */
const digits = ['1e400', '12345678901234567890123', '0.1000000000000000055511151231257827', '1e-400']
const { rawJSON: rawJson } = JSON as unknown as { rawJSON: (text: string) => unknown }
const nested = (depth: number): unknown => (depth === 0 ? 1 : [nested(depth - 1)])

const hostile: fc.Arbitrary<unknown> = fc.oneof(
  texts,
  fc.constantFrom(null, true, false, [], {}, [null], [[]], { a: null }, { '': 1 }, nested(70), ...numbers),
  fc.constantFrom(...digits).map(rawJson),
  fc.constantFrom('{"__proto__":{"x":1}}', '{"constructor":1}').map(each => JSON.parse(each)),
  fc.constant(Array.from({ length: 1_100 }, () => 'x')),
)

/** Parameters of lists, with possible faults in names and values. */
const strange = mostly(
  4,
  fc.constant(''),
  fc
    .tuple(
      fc.constantFrom('filter[id_eq]', 'filter[created_at_gt]', 'filter[name_cont]', 'filter[code_in][]', 'filter[m]'),
      fc.constantFrom('sort', 'include', 'limit', 'page[after]', 'total', 'fields[change]', 'filter[constructor_eq]'),
      fc.boolean(),
      texts,
    )
    .map(([filter, other, which, value]) => `${inUrl(which ? filter : other)}=${inUrl(value)}`),
)

const headers: fc.Arbitrary<Record<string, string>> = mostly(
  8,
  fc.constant({}),
  fc.oneof(
    fc.constantFrom('"0"', '*', 'x', 'W/"1"', '"1", "2"').map(each => ({ 'if-match': each })),
    fc.constantFrom('application/json', 'text/plain', 'x').map(each => ({ 'content-type': each })),
    fc.constantFrom('text/csv', 'text/plain', 'application/xml', '*/*', 'x').map(each => ({ accept: each })),
    fc.constantFrom('bytes=0-0', 'bytes=9-1', 'x').map(each => ({ range: each })),
  ),
)
