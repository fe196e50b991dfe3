import type { Queries } from '#platform/db/database.ts'
import { looksLikeReference, mayUse, readReference, referenceOf, type SecretPlace } from './reference.ts'
import type { Vault } from './vault.port.ts'

/** References of a document that cannot be resolved, each with the reason. The values of others are not in it. */
export class UnresolvedSecrets extends Error {
  readonly references: readonly string[]
  constructor(references: readonly string[]) {
    super(
      `These secrets cannot be resolved here: ${references.join(', ')}. They are stored with POST /api/secrets/encrypt.`,
    )
    this.name = 'UnresolvedSecrets'
    this.references = references
  }
}

export interface Resolved<Document> {
  document: Document
  /** The inserted values, each once: the texts to mask in the step's output. */
  secrets: string[]
  /** References for the event `api:secrets:resolve`, which names them and never the values. */
  references: string[]
}

/**
 * Replaces every value `secret://…` of a document by the secret, just before it is sent to a step. Keys and their order
 * remain.
 *
 * @throws UnresolvedSecrets naming all that are missing, malformed, or not for this node
 */
export async function resolveReferences<Document>(
  queries: Queries,
  vault: Pick<Vault, 'read'>,
  document: Document,
  nodePath: string,
): Promise<Resolved<Document>> {
  const texts = referencesIn(document)
  const { values, references } = await readSecrets(queries, vault, texts, nodePath)
  return { document: withSecrets(document, values), secrets: [...new Set(values.values())], references }
}

/**
 * The secrets of these references, by reference as written.
 *
 * @throws UnresolvedSecrets naming all that are missing, malformed, or not for this node
 */
export async function readSecrets(
  queries: Queries,
  vault: Pick<Vault, 'read'>,
  texts: readonly string[],
  nodePath: string,
): Promise<{ values: ReadonlyMap<string, string>; references: string[] }> {
  const places = new Map<string, SecretPlace>()
  for (const text of texts) {
    const place = readReference(text)
    if (place && mayUse(nodePath, place)) places.set(text, place)
  }
  const found = await vault.read(queries, [...places.values()])
  const values = new Map<string, string>()
  for (const [text, place] of places) {
    const value = found.get(referenceOf(place))
    if (value !== undefined) values.set(text, value)
  }
  const lost = texts.filter(text => !values.has(text))
  if (lost.length > 0) throw new UnresolvedSecrets(lost)
  return { values, references: [...new Set([...places.values()].map(referenceOf))] }
}

/** Every reference in a document, once. */
export const referencesIn = (document: unknown): string[] => [...new Set(allReferences(document))]

function allReferences(value: unknown): string[] {
  if (looksLikeReference(value)) return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(allReferences) : []
}

/** The document with every reference replaced by its secret; itself when there is none. */
export const withSecrets = <Document>(document: Document, values: ReadonlyMap<string, string>): Document =>
  values.size === 0 ? document : (withValues(document, text => values.get(text)!) as Document)

function withValues(value: unknown, secretOf: (text: string) => string): unknown {
  if (looksLikeReference(value)) return secretOf(value)
  if (Array.isArray(value)) return value.map(each => withValues(each, secretOf))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, withValues(each, secretOf)]))
}
