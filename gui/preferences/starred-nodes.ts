import { isMembers } from './merge-patch.ts'
import { type Preferences, usePreferences, useSavePreferences } from './preferences.ts'

/** Largest number of nodes that a user can star: the preferences have 64 KiB in all. */
export const mostStars = 100

/** Paths of the nodes that the user has starred, in their order. */
export const starredIn = ({ starred_nodes: stars }: Preferences): string[] =>
  isMembers(stars)
    ? Object.keys(stars)
        .filter(path => stars[path] === true && path.startsWith('/projects/'))
        .toSorted()
    : []

interface Stars {
  /** Undefined until the preferences are read. */
  readonly starred: ReadonlySet<string> | undefined
  readonly star: (path: string, isStarred: boolean) => void
}

/** Starred nodes, and how to star one; it shows at once and is taken back if it cannot be saved. */
export function useStars(): Stars {
  const preferences = usePreferences()
  const save = useSavePreferences()
  return {
    starred: preferences && new Set(starredIn(preferences)),
    star: (path, isStarred) => save({ starred_nodes: { [path]: isStarred || null } }),
  }
}
