import type { PropertyDifference } from '../../components/decision/property-difference.ts'

type Data = Readonly<Record<string, unknown>>

const isData = (value: unknown): value is Data => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Values that differ between two documents, in the order of the second one. Lists are compared as a whole. */
export function propertyChanges(before: Data, after: Data, above = ''): PropertyDifference[] {
  const names = [...new Set([...Object.keys(after), ...Object.keys(before)])]
  return names.flatMap(key => {
    const name = above === '' ? key : `${above}.${key}`
    const [one, other] = [before[key], after[key]]
    if (isData(one) && isData(other)) return propertyChanges(one, other, name)
    return JSON.stringify(one) === JSON.stringify(other) ? [] : [{ name, before: one, after: other }]
  })
}
