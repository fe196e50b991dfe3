/** Row of the tree of paths: a path with its rules, or one above paths that have rules. */
export interface PathRow<Rule> {
  readonly path: string
  /** Last segment; of a path whose parent has no other child and no rule, all segments that the row stands for. */
  readonly text: string
  readonly depth: number
  readonly rules: readonly Rule[]
}

interface Place<Rule> {
  readonly rules: Rule[]
  readonly below: Map<string, Place<Rule>>
}

/**
 * Rules as the rows of a tree of their paths, in the order of the segments. Steps of the way that have no rule and lead to
 * one place only are part of the row below them.
 */
export function pathRows<Rule extends { readonly path: string }>(rules: readonly Rule[]): PathRow<Rule>[] {
  const root: Place<Rule> = { rules: [], below: new Map() }
  for (const rule of rules) {
    let at = root
    for (const segment of rule.path.split('/').filter(Boolean)) {
      const next: Place<Rule> = at.below.get(segment) ?? { rules: [], below: new Map() }
      at.below.set(segment, next)
      at = next
    }
    at.rules.push(rule)
  }
  const rows: PathRow<Rule>[] = []
  const visit = (place: Place<Rule>, path: string, text: string, depth: number): void => {
    const [only] = place.below
    if (place.rules.length === 0 && place.below.size === 1 && only) {
      visit(only[1], `${path}/${only[0]}`, `${text}/${only[0]}`, depth)
      return
    }
    const isShown = place !== root || place.rules.length > 0
    if (isShown)
      rows.push({ path: path === '' ? '/' : path, text: text === '' ? '/' : text, depth, rules: place.rules })
    for (const [segment, next] of [...place.below].toSorted(([a], [b]) => (a < b ? -1 : 1)))
      visit(next, `${path}/${segment}`, isShown ? segment : `/${segment}`, isShown ? depth + 1 : depth)
  }
  visit(root, '', '', 0)
  return rows
}
