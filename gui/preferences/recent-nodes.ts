import { isMembers, type Members } from './merge-patch.ts'

/** Nodes that a user looked at: path and time, as ISO 8601 in UTC. */
export type Visits = Readonly<Record<string, string>>

/** Number of recent nodes that are kept. */
export const mostRecent = 10

export const visitsIn = (value: unknown): Visits =>
  isMembers(value)
    ? Object.fromEntries(
        Object.entries(value).filter(
          (entry): entry is [string, string] =>
            entry[0].startsWith('/projects/') && typeof entry[1] === 'string' && !Number.isNaN(Date.parse(entry[1])),
        ),
      )
    : {}

/** Visits of two sources; each node has its newest one. */
export function mergedVisits(one: Visits, other: Visits): Visits {
  const newer = Object.entries(other).filter(([path, time]) => time > (one[path] ?? ''))
  return { ...one, ...Object.fromEntries(newer) }
}

/** Paths of the nodes looked at last, the newest first. */
export const newestOf = (visits: Visits): string[] =>
  Object.keys(visits)
    .toSorted((one, other) => (visits[one]! < visits[other]! ? 1 : -1))
    .slice(0, mostRecent)

/** Merge patch of the stored visits: adds those of this browser, and removes nodes that are not recent any more. */
export function visitsPatch(stored: Visits, own: Visits): Members {
  const kept = new Set(newestOf(mergedVisits(stored, own)))
  const gone = Object.keys(stored).filter(path => !kept.has(path))
  const added = Object.entries(own).filter(([path, time]) => kept.has(path) && time > (stored[path] ?? ''))
  return Object.fromEntries([...added, ...gone.map(path => [path, null] as const)])
}

/** What is left of the unsaved visits once some have been saved: nodes that were looked at again meanwhile. */
export const withoutSaved = (unsaved: Visits, saved: Visits): Visits =>
  Object.fromEntries(Object.entries(unsaved).filter(([path, time]) => time !== saved[path]))
