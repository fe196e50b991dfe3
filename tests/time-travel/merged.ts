import type { Json, JsonObject } from '../../src/platform/documents/document.ts'

/** Merging, implemented simply: a tree whose every object and value has its source. */

export interface Layer {
  readonly source: string
  readonly data: JsonObject
}

interface Tree {
  /** Source that made it an object. */
  readonly source: string
  readonly members: Map<string, Tree | { readonly source: string; readonly value: Json }>
}

export const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isRemoval = (value: Json): boolean =>
  isObject(value) && value['$remove'] === true && Object.keys(value).length === 1

export function mergedTree(layers: readonly Layer[]): Tree {
  const root: Tree = { source: layers[0]?.source ?? '', members: new Map() }
  for (const { source, data } of layers) lay(root, data, source)
  return root
}

function lay(tree: Tree, document: JsonObject, source: string): void {
  for (const [name, value] of Object.entries(document)) {
    const there = tree.members.get(name)
    if (isRemoval(value)) tree.members.delete(name)
    else if (!isObject(value)) tree.members.set(name, { source, value })
    else {
      const below: Tree = there && 'members' in there ? there : { source, members: new Map() }
      tree.members.set(name, below)
      lay(below, value, source)
    }
  }
}

export const dataOf = (tree: Tree): JsonObject =>
  Object.fromEntries([...tree.members].map(([name, each]) => [name, 'members' in each ? dataOf(each) : each.value]))

/** Tree of the same shape, with a source at each leaf; an empty object or array is a leaf. */
export function sourcesOf(tree: Tree): Json {
  if (tree.members.size === 0) return tree.source
  return Object.fromEntries(
    [...tree.members].map(([name, each]) => [
      name,
      'members' in each ? sourcesOf(each) : labelled(each.value, each.source),
    ]),
  )
}

function labelled(value: Json, source: string): Json {
  if (Array.isArray(value)) return value.length === 0 ? source : value.map(each => labelled(each, source))
  if (!isObject(value) || Object.keys(value).length === 0) return source
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, labelled(each, source)]))
}

const leavesOf = (value: Json): Json[] =>
  typeof value === 'object' && value !== null ? Object.values(value).flatMap(leavesOf) : [value]

export const at = (document: Json | undefined, path: readonly string[]): Json | undefined =>
  path.reduce<Json | undefined>((place, name) => (isObject(place) ? place[name] : undefined), document)

export interface Says {
  readonly source: string
  readonly removes: boolean
  readonly wins: boolean
}

/** Sources that affect the value at a place without an array on its path. */
export function sourcesAt(layers: readonly Layer[], path: readonly string[]): Says[] {
  const says: Omit<Says, 'wins'>[] = []
  for (const [index, { source, data }] of layers.entries()) {
    const said = sayingOf(data, path)
    const wasThere = at(dataOf(mergedTree(layers.slice(0, index))), path) !== undefined
    if (said === 'states' || (said === 'removes' && wasThere)) says.push({ source, removes: said === 'removes' })
  }
  const merged = mergedTree(layers)
  const isSet = at(dataOf(merged), path) !== undefined
  const inForce = isSet ? leavesOf(sourceAt(sourcesOf(merged), path)) : [says.at(-1)?.source]
  return says.map((each, index) => {
    const isLastOfItsLayer = says.findLastIndex(({ source }) => source === each.source) === index
    return { ...each, wins: isLastOfItsLayer && inForce.includes(each.source) }
  })
}

const sourceAt = (sources: Json, path: readonly string[]): Json => at(sources, path) ?? sources

function sayingOf(data: JsonObject, path: readonly string[]): 'nothing' | 'states' | 'removes' {
  let place: Json = data
  for (const name of path) {
    if (!isObject(place) || (place !== data && isRemoval(place))) return 'removes'
    if (!Object.hasOwn(place, name)) return 'nothing'
    place = place[name]!
  }
  return isRemoval(place) ? 'removes' : 'states'
}
