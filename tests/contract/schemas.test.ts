import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { currentInterface, currentRoutes } from '../../bin/current-interface.ts'
import { catalogue } from '../../src/domain/settings/index.ts'
import type { Route } from '../../src/platform/http/routes.ts'

/** The service does not validate its own schemas when it compiles them: this test does. */

const ajv = new Ajv2020({ strict: false })
const wrongOf = (schemas: readonly (readonly [string, object])[]) =>
  schemas.flatMap(([name, schema]) => (ajv.validateSchema(schema) === true ? [] : `${name}: ${ajv.errorsText()}`))

interface Taking {
  readonly attributes?: object
  readonly meta?: object
  readonly parameters?: Readonly<Record<string, { readonly schema: object }>>
}

function takes(route: Route): Taking {
  switch (route.kind) {
    case 'command':
      return route.command as Taking
    case 'view':
      return route.view as Taking
    case 'live':
      return route.live as Taking
    case 'list':
      return route.list as Taking
    case 'show':
      return route.show as Taking
  }
}

const named = (name: string, schema: object | undefined): [string, object][] => (schema ? [[name, schema]] : [])

test('what requests may hold is stated in JSON Schema', async () => {
  const { routes } = await currentRoutes()
  const schemas = routes.flatMap(route => {
    const { attributes, meta, parameters = {} } = takes(route)
    const { operationId: name } = route
    return [
      ...named(`the body of ${name}`, attributes),
      ...named(`the meta of ${name}`, meta),
      ...Object.entries(parameters).map(([key, { schema }]): [string, object] => [`${key} of ${name}`, schema]),
    ]
  })
  assert.ok(schemas.length > 100, `${schemas.length}`)
  assert.deepEqual(wrongOf(schemas), [])
})

test('what settings may be is stated in JSON Schema', () => {
  const schemas = Object.entries(catalogue).map(([key, { schema }]): [string, object] => [key, schema])
  assert.ok(schemas.length > 20)
  assert.deepEqual(wrongOf(schemas), [])
})

test('what the interface says of its answers is JSON Schema', async () => {
  const schemas = schemasIn(await currentInterface(), '')
  assert.ok(schemas.length > 500, `${schemas.length}`)
  assert.deepEqual(wrongOf(schemas), [])
})

test('the interface says which headers requests may carry and answers have', async () => {
  const { paths, components } = (await currentInterface()) as {
    paths: Record<string, Record<string, Described>>
    components: { headers: object }
  }
  const taken = (path: string, method: string) =>
    paths[path]![method]!.parameters.flatMap(({ name, in: where }) => (where === 'header' ? [name] : []))
  const given = (path: string, method: string, status: string) =>
    Object.keys(paths[path]![method]!.responses[status]!.headers ?? {})
  const one = '/api/projects/{project_code}'
  assert.deepEqual(
    [taken(one, 'get'), taken(one, 'patch'), taken(one, 'delete'), taken('/api/projects', 'post')],
    [['If-None-Match'], ['If-Match'], ['If-Match'], ['Idempotency-Key']],
  )
  assert.deepEqual(taken('/api/changes/{id}/pause', 'post'), ['If-Match', 'Idempotency-Key'])
  assert.deepEqual(taken('/api/tokens', 'post'), [], 'a secret is kept for nobody who asks again')
  assert.deepEqual(taken('/api/changes/{id}/live', 'get'), ['Last-Event-ID'])
  assert.deepEqual([given(one, 'get', '200'), given('/api/projects', 'post', '201')], [['ETag'], ['ETag', 'Location']])
  for (const [path, methods] of Object.entries(paths))
    for (const [method, { responses }] of Object.entries(methods))
      for (const { headers = {} } of Object.values(responses))
        for (const { $ref } of Object.values(headers))
          assert.ok(Object.hasOwn(components.headers, $ref.replace('#/components/headers/', '')), `${method} ${path}`)
})

test('the interface says that whatever answers a record takes include and fields', async () => {
  const { paths } = (await currentInterface()) as { paths: Record<string, Record<string, Described>> }
  const recordsIn = ({ responses }: Described) =>
    ['200', '201'].some(status => isRecord(responses[status]?.content?.['application/vnd.api+json']?.schema))
  const answering = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, each]) =>
      recordsIn(each) ? [[`${method} ${path}`, each] as const] : [],
    ),
  )
  assert.ok(answering.length > 100, `${answering.length}`)
  for (const method of ['get', 'post', 'patch', 'put'])
    assert.ok(answering.some(([route]) => route.startsWith(`${method} `)))
  for (const [route, { parameters }] of answering) {
    const names = parameters.map(({ name }) => name)
    assert.deepEqual(
      ['include', 'fields'].filter(name => !names.includes(name)),
      [],
      route,
    )
  }
})

const isRecord = (schema: { properties?: { data?: { $ref?: string } } } | undefined): boolean =>
  schema?.properties?.data?.$ref !== undefined

interface Described {
  readonly parameters: readonly { readonly name: string; readonly in: string }[]
  readonly responses: Readonly<
    Record<
      string,
      {
        readonly headers?: Readonly<Record<string, { $ref: string }>>
        readonly content?: Readonly<Record<string, { schema: Parameters<typeof isRecord>[0] }>>
      }
    >
  >
}

/** Each schema in the document under `schema`, and those of its components. */
function schemasIn(value: unknown, at: string): [string, object][] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, each]): [string, object][] => {
    const here = `${at}/${key}`
    if (key === 'schema') return [[here, each]]
    if (here === '/components/schemas')
      return Object.entries(each as object).map(([name, schema]): [string, object] => [`${here}/${name}`, schema])
    return schemasIn(each, here)
  })
}
