import { isAlias, isMap, isScalar, isSeq, type Pair, Scalar, type YAMLMap } from 'yaml'

/** A plain `<<`, with the tag of merge keys or none; in quotes it is a key like any other. */
export const isMergeKey = (key: unknown): boolean =>
  isScalar(key) && key.value === '<<' && (key.tag === mergeTag || (key.tag === undefined && key.type === Scalar.PLAIN))

const mergeTag = 'tag:yaml.org,2002:merge'

/** Maximum number of pairs that merge keys may add to a file's maps. */
const mostPairs = 200_000

/**
 * Replaces every merge key by the pairs that it adds. A map's own key takes precedence over a merged one, and in a list
 * of maps the first with a key (https://yaml.org/type/merge.html). Pairs are shared: a fault in one is found where it
 * is written.
 *
 * @returns its faults
 */
export function resolveMergeKeys(
  contents: unknown,
  resolve: (node: unknown) => unknown,
): { node: unknown; message: string }[] {
  const faults: { node: unknown; message: string }[] = []
  const fail = (node: unknown, message: string) => faults.push({ node, message })
  let pairs = 0
  const underWay = new Set<YAMLMap>()

  const merge = (map: YAMLMap): void => {
    const at = map.items.findIndex(({ key }) => isMergeKey(key))
    if (at < 0) return
    const merging = map.items[at]!
    underWay.add(map)
    const own = new Set(map.items.filter(({ key }) => !isMergeKey(key)).map(({ key }) => nameOf(key)))
    const brought: Pair[] = []
    for (const source of sourcesOf(merging)) {
      for (const pair of source.items) {
        const name = nameOf(pair.key)
        if (own.has(name)) continue
        own.add(name)
        brought.push(pair)
      }
      pairs += source.items.length
      if (pairs > mostPairs) break
    }
    map.items = [...map.items.slice(0, at), ...brought, ...map.items.slice(at + 1)]
    underWay.delete(map)
  }

  const sourcesOf = ({ key, value }: Pair): YAMLMap[] => {
    const list = resolve(value)
    const items = isSeq(list) ? list.items : [value]
    return items.flatMap(item => {
      const source = resolve(item)
      if (source === undefined && isAlias(item)) fail(item, `There is no anchor "${item.source}" before this.`)
      else if (!isMap(source)) fail(item ?? key, 'A merge key ("<<") takes a map, or a list of maps: <<: *name.')
      else if (underWay.has(source)) fail(item, 'By its merge keys this holds itself.')
      else {
        merge(source)
        return [source]
      }
      return []
    })
  }

  const maps = mapsIn(contents)
  for (const map of maps) {
    if (pairs <= mostPairs) merge(map)
    if (pairs <= mostPairs) continue
    fail(map, `Merge keys bring more than ${mostPairs} keys.`)
    break
  }
  return faults
}

const nameOf = (key: unknown): string => String((key as Scalar).value)

/** Maps of the tree as written: before anything is merged it has no cycles. */
function mapsIn(contents: unknown): YAMLMap[] {
  const maps: YAMLMap[] = []
  const left: unknown[] = [contents]
  while (left.length > 0) {
    const node = left.pop()
    if (isSeq(node)) for (const item of node.items) left.push(item)
    if (!isMap(node)) continue
    maps.push(node)
    for (const { value } of node.items) left.push(value)
  }
  return maps
}
