import type { LucideIcon } from 'lucide-react'

export interface Entry {
  /** Address that it opens; of an action, its name. */
  readonly to: string
  /** What it does in place of opening an address. */
  readonly act?: () => void
  readonly text: string
  readonly icon: LucideIcon
  /** Where it is, or its shortcut. */
  readonly detail?: string
}

export interface Section {
  readonly title: string
  readonly entries: readonly Entry[]
}

/** Sections without entries that an earlier one has, and without empty sections. */
export function distinct(sections: readonly Section[]): Section[] {
  const seen = new Set<string>()
  return sections
    .map(({ title, entries }) => ({
      title,
      entries: entries.filter(({ to }) => !seen.has(to) && Boolean(seen.add(to))),
    }))
    .filter(({ entries }) => entries.length > 0)
}
