import { endpointTables, parameterTable } from '../contract/specification/endpoints.ts'
import { limits } from '../contract/specification/lists.ts'
import type { OpenApi } from '../support/service.ts'
import type { Judged } from './judge-record.ts'

/**
 * Rows about routes: whether the service has them, and the attributes of their bodies and queries. They are compared
 * with the OpenAPI document; `rights-walk.db.test.ts` requests each route over HTTP, as users with and without the
 * rights.
 */

interface Operation {
  readonly parameters?: readonly { name: string; in: string; schema?: Schema; description?: string }[]
  readonly requestBody?: { content: Record<string, { schema: Schema }> }
}

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly default?: unknown
}

const nodeShapes = [
  '/api/projects/{}',
  '/api/projects/{}/environments/{}',
  '/api/projects/{}/environments/{}/assets/{}',
  '/api/projects/{}/assets/{}',
  '/api/projects/{}/agents/{}',
]
const assetShapes = nodeShapes.filter(shape => shape.includes('/assets/'))

/** Every path that a row's path matches, with unnamed parameters. */
function pathsOf(path: string): string[] {
  const shapes = path.includes('{node}') ? nodeShapes : path.includes('{asset}') ? assetShapes : ['']
  return shapes.map(shape => nameless(path.replace(/\{node\}|\{asset\}/, '@')).replace('@', shape))
}

const nameless = (path: string): string => path.replace(/\{[^}]*\}/g, '{}')

export function judgeInterface({ paths }: OpenApi): Judged {
  const judged: Judged = new Map()
  const known = new Map(
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, each]) => [`${method.toUpperCase()} ${nameless(path)}`, each as Operation]),
    ),
  )
  for (const { endpoints, later } of endpointTables) {
    for (const [method, path, body] of later ? [] : endpoints) {
      const operations = pathsOf(path).map(each => known.get(`${method} ${each}`))
      const lacking = pathsOf(path).filter((_, at) => !operations[at])
      judged.set(`${method} ${path}`, lacking.length ? `there is no ${lacking.join(', ')}` : undefined)
      if (body !== undefined) judgeBody(`${method} ${path}`, body, operations[0], judged)
    }
  }
  for (const [method, path, parameter] of parameterTable) {
    const lacking = pathsOf(path).filter(
      each => !known.get(`${method} ${each}`)?.parameters?.some(({ name }) => name === parameter),
    )
    judged.set(`${method} ${path}?${parameter}`, lacking.length ? `not taken by ${lacking.join(', ')}` : undefined)
  }
  return judged
}

function judgeBody(endpoint: string, body: string, operation: Operation | undefined, judged: Judged): void {
  const data = Object.values(operation?.requestBody?.content ?? {})[0]?.schema.properties?.['data']
  const attributes = data?.properties?.['attributes']
  const meta = data?.properties?.['meta']
  const words = body.split(' ')
  for (const word of words) {
    const name = word.replace(/[*!]$/, '')
    const takes = word.endsWith('!') ? meta : attributes
    const required = takes?.required?.includes(name) ?? false
    const fault = !takes?.properties?.[name]
      ? 'not taken'
      : required !== word.endsWith('*')
        ? `${required ? 'required' : 'not required'}`
        : undefined
    judged.set(`${endpoint} ${word}`, fault)
  }
  const names = new Set(words.map(word => word.replace(/[*!]$/, '')))
  const more = Object.keys(attributes?.properties ?? {}).filter(name => !names.has(name))
  judged.set(`${endpoint} nothing_else`, more.length ? `takes also ${more.join(', ')}` : undefined)
}

/** The limits of every list, according to its description. */
export function judgeLimits({ paths }: OpenApi): Judged {
  const judged: Judged = new Map()
  const special = new Map(Object.entries(limits).map(([path, limit]) => [nameless(path), limit]))
  for (const [path, methods] of Object.entries(paths)) {
    const limit = (methods['get'] as Operation | undefined)?.parameters?.find(({ name }) => name === 'limit')
    if (!limit) continue
    const like = ['/api/steps', '/api/log_lines'].find(list => path.endsWith(list.slice('/api'.length))) ?? 'usual'
    const wanted = special.get(nameless(path)) ?? limits[like]!
    const given = { default: limit.schema?.default, maximum: Number(/\d+/.exec(limit.description ?? '')?.[0]) }
    const fine = given.default === wanted.default && given.maximum === wanted.maximum
    judged.set(path, fine ? undefined : `is ${given.default}, at most ${given.maximum}`)
  }
  return judged
}
