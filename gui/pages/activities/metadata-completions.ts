/** Values that are offered for one name, so that a list of many tickets does not hide the other names. */
const mostValues = 20

/**
 * What completes a filter by metadata: `ticket=` for each name in the metadata of some activities, and `ticket=CHG-1`
 * for its values. A name within another is `team.lead`. A name that the API cannot filter by is left out.
 */
export function metadataCompletions(documents: readonly unknown[]): readonly string[] {
  const found = new Map<string, Set<string>>()
  for (const document of documents)
    for (const [name, value] of leavesOf(document, [])) {
      const values = found.get(name) ?? new Set()
      found.set(name, values.size < mostValues ? values.add(value) : values)
    }
  const names = [...found.keys()].toSorted()
  const values = names.flatMap(name => [...found.get(name)!].toSorted().map(value => `${name}=${value}`))
  return [...names.map(name => `${name}=`), ...values]
}

function leavesOf(value: unknown, path: readonly string[]): (readonly [name: string, value: string])[] {
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return Object.entries(value).flatMap(([key, each]) => (/^[\w-]+$/.test(key) ? leavesOf(each, [...path, key]) : []))
  const isText = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
  return isText && path.length > 0 ? [[path.join('.'), String(value)]] : []
}
