/** The known name that a mistyped one most likely meant; none when they have little in common. */
export function nearestTo(name: string, known: readonly string[]): string | undefined {
  const wanted = name.toLowerCase()
  const [best] = known
    .map(each => ({ each, distance: distance(wanted, each.toLowerCase()) }))
    .toSorted((a, b) => a.distance - b.distance)
  return best && best.distance <= Math.max(2, Math.floor(wanted.length / 3)) ? best.each : undefined
}

/** Levenshtein's: the fewest letters to insert, remove or replace. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++)
      next[j] = Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1))
    row = next
  }
  return row[b.length]!
}
