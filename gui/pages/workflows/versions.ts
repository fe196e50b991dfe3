import type { WorkflowSearch } from './search.ts'

interface VersionSummary {
  readonly version: number
  readonly draft: boolean
}

/**
 * The two versions to compare: those of the address if they exist, else the newest one with the one before it. Undefined
 * if there are not two.
 *
 * @param versions the newest first
 */
export function comparedVersions(
  versions: readonly VersionSummary[],
  { version, against }: WorkflowSearch,
): { readonly from: number; readonly to: number } | undefined {
  const numbers = versions.map(each => each.version)
  const to = version !== undefined && numbers.includes(version) ? version : numbers[0]
  if (to === undefined || numbers.length < 2) return undefined
  const before = numbers.find(each => each < to) ?? numbers.find(each => each !== to)
  const from = against !== undefined && numbers.includes(against) ? against : before
  return from === undefined ? undefined : { from, to }
}
