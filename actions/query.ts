import { json } from 'node:stream/consumers'
import { ask, type ServiceAccess } from './service.ts'

interface Document {
  readonly data: { readonly attributes: object } | readonly { readonly attributes: object }[]
  readonly links?: { readonly next?: string }
}

const attributesOf = ({ data }: Document): unknown =>
  Array.isArray(data) ? data.map(({ attributes }) => attributes) : (data as { attributes: object }).attributes
const dataOf = (document: Document): unknown => (attributesOf(document) as { data: unknown }).data

/** Kinds of query about a node: the path below the node's own path, and the part of the response to return. */
const questions = {
  node: ['', attributesOf],
  properties: ['/converged_properties', dataOf],
  settings: ['/converged_settings', dataOf],
  actions: ['/actions', attributesOf],
  environments: ['/environments', attributesOf],
  assets: ['/assets', attributesOf],
  agents: ['/agents', attributesOf],
} as const

export type NodeQuestion = keyof typeof questions

/** Queries the service about a node, with the rights of the change's creator, within its project. */
export async function query(
  service: ServiceAccess,
  nodePath: string,
  what: NodeQuestion,
  signal: AbortSignal,
): Promise<unknown> {
  if (!Object.hasOwn(questions, what))
    throw new TypeError(`query(…, "${what}"): what can be asked is ${Object.keys(questions).join(', ')}.`)
  if (!nodePath.startsWith('/projects/'))
    throw new TypeError(`query("${nodePath}"): the path of a node begins with /projects/.`)
  const [below, of] = questions[what]
  const found: unknown[] = []
  for (let path = `/api${nodePath}${below}`; ; ) {
    const document = (await ask(service, path, {}, json, signal)) as Document
    const its = of(document)
    if (!Array.isArray(its)) return its
    found.push(...its)
    // A list is cut at its limit; `links.next` has the rest.
    if (document.links?.next === undefined) return found
    path = document.links.next
  }
}
