import type { Offer } from '../../components/editor/place.ts'

/** Paths of nodes as offers, relative to their project as a definition writes them. */
export function nodeOffers(
  project: string,
  nodes: readonly { readonly path: string; readonly name: string }[],
): Offer[] {
  const prefix = `/projects/${project}/`
  return nodes.flatMap(({ path, name }) =>
    path.startsWith(prefix) ? [{ label: path.slice(prefix.length), detail: name, type: 'text' as const }] : [],
  )
}
