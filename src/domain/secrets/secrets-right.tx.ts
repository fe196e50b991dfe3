import type { Actor, Need } from '#platform/actor.ts'
import type { Queries } from '#platform/db/database.ts'
import { readReference, referenceOf } from './reference.ts'
import { referencesIn } from './resolve.tx.ts'

/** Areas of a node that may refer to secrets, and have a right of their own for them. */
const areas = ['properties', 'settings', 'model'] as const
type Area = (typeof areas)[number]

/** The document in force of each area of a node; null where it has none. */
export type AreaDocuments = Readonly<Record<Area, (queries: Queries, nodeId: string) => Promise<unknown>>>

/** Need for storing a secret: the right on all secrets of the node, or on those of its properties or settings. */
export function needToStore(path: string, { rights }: Actor): Need {
  const paths = [`${path}/secrets`, `${path}/properties/secrets`, `${path}/settings/secrets`]
  return { right: 'update', path: paths.find(each => rights.may('update', each)) ?? paths[0]! }
}

/**
 * Need for resolving a secret: the right on all secrets of the node; or, for one that its properties, settings or model
 * refer to, on the secrets of that area: the right to the secrets of the model does not include those that only the
 * properties use.
 */
export async function needToResolve(
  queries: Queries,
  documents: AreaDocuments,
  node: { readonly id: string; readonly path: string },
  reference: string | undefined,
  { rights }: Actor,
): Promise<Need> {
  const all: Need = { right: 'execute', path: `${node.path}/secrets` }
  const wanted = reference === undefined ? undefined : readReference(reference)
  if (rights.may('execute', all.path) || !wanted) return all
  for (const area of areas) {
    const its: Need = { right: 'execute', path: `${node.path}/${area}/secrets` }
    if (!rights.may('execute', its.path)) continue
    const references = referencesIn(await documents[area](queries, node.id))
    if (references.some(text => sameSecret(text, referenceOf(wanted)))) return its
  }
  return all
}

function sameSecret(text: string, reference: string): boolean {
  const place = readReference(text)
  return place !== undefined && referenceOf(place) === reference
}
