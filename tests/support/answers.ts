import assert from 'node:assert/strict'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'

type Response = { $ref?: string; content?: Record<string, unknown> }
type OpenApi = {
  paths: Record<string, Record<string, { responses: Record<string, Response> }>>
  components: { responses: Record<string, Response> }
}

/** Checks a response against the OpenAPI document; throws an assertion with the differences. */
export type CheckAnswer = (answer: {
  method: string
  path: string
  /** Query, after the `?`. */
  query?: string | undefined
  status: number
  contentType: string | null
  body: unknown
}) => void

export function answersOf(document: object): CheckAnswer {
  const { paths, components } = document as OpenApi
  // A test checks few responses: fast compilation of schemas matters more than fast validators. A test of its own
  // validates the document's schemas against JSON Schema.
  const quick = { inlineRefs: false, code: { optimize: false }, validateSchema: false }
  const ajv = new Ajv2020({ strict: false, allErrors: true, ...quick })
  addFormats.default(ajv)
  ajv.addSchema(document, 'openapi')
  const templates = Object.keys(paths)
    .map(template => ({ template, form: formOf(template) }))
    // A literal segment is more specific than a parameter.
    .sort((a, b) => a.template.split('{').length - b.template.split('{').length)
  const compiled = new Map<string, ReturnType<typeof ajv.compile>>()

  return ({ method, path, query = '', status, contentType, body }) => {
    const template = templates.find(({ form }) => form.test(path))?.template
    const operation =
      template === undefined ? undefined : paths[template]?.[method === 'HEAD' ? 'get' : method.toLowerCase()]
    if (method === 'OPTIONS') return
    // No route of the API: only errors are possible there.
    const responses = operation?.responses ?? {}
    const declared = responses[String(status)] ? String(status) : 'default'
    const isPage = path === '/api-docs'
    assert.ok(
      isPage || declared !== 'default' || status >= 400,
      `${method} ${path} answered ${status}, which is not documented`,
    )
    const mediaType = contentType?.split(';')[0] ?? ''
    const shared = /^#\/components\/responses\/(.+)$/.exec(responses[declared]?.$ref ?? '')?.[1]
    const documented = shared ? components.responses[shared]!.content : responses[declared]?.content
    // A list as CSV or plain text is a separate response, which the list's description mentions.
    if (['text/csv', 'text/plain'].includes(mediaType) && responses['206']) return
    if (documented)
      assert.ok(
        Object.hasOwn(documented, mediaType),
        `${method} ${path} answered ${status} as ${mediaType}, and is documented as ${Object.keys(documented)}`,
      )
    if (mediaType !== 'application/vnd.api+json') return
    const pointer =
      operation && template !== undefined && !shared
        ? [
            'paths',
            template,
            method === 'HEAD' ? 'get' : method.toLowerCase(),
            'responses',
            declared,
            'content',
            mediaType,
            'schema',
          ]
        : ['components', 'schemas', 'errors']
    const schema = pointer.map(part => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/')
    const validate = compiled.get(schema) ?? ajv.compile({ $ref: `openapi#/${schema}` })
    compiled.set(schema, validate)
    if (validate(body)) return
    // Members that are always present are required, unless the caller has excluded them.
    const narrowed = /(^|&)fields(\[|%5B)/i.test(query)
    const wrong = validate.errors?.filter(({ keyword, instancePath }) => {
      return !(narrowed && keyword === 'required' && /\/(attributes|relationships)$/.test(instancePath))
    })
    if (!wrong?.length) return
    const faults = wrong.map(({ instancePath, message }) => `${instancePath} ${message}`).join('\n')
    assert.fail(
      `${method} ${path} answered ${status} with what its document does not allow:\n${faults}\n${JSON.stringify(body).slice(0, 2000)}`,
    )
  }
}

const formOf = (template: string) =>
  new RegExp(`^${template.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{[^}]+\}/g, '[^/]+')}$`)
