/** Remaining work for finding near names: one unit for each compared pair of letters. */
export interface Search {
  left: number
}

/** A few hundredths of a second of one core: enough to compare a thousand names of fifty letters. */
export const mostSearched = (): Search => ({ left: 2_000_000 })

/**
 * The known name that a mistyped one most likely meant; undefined if no name is similar. A mistyped name may have a
 * megabyte, and be compared with ten thousand names of another user: names beyond `search` are not examined.
 *
 * @param search shared by all names of a request that may contain many
 */
export function nearestTo(name: string, known: Iterable<string>, search = mostSearched()): string | undefined {
  const wanted = name.toLowerCase()
  let best: string | undefined
  let most = Math.max(2, Math.floor(wanted.length / 3))
  for (const each of known) {
    if (most < 0 || search.left <= 0) break
    const found = distanceWithin(most, wanted, each.toLowerCase(), search)
    if (found === undefined) continue
    best = each
    most = found - 1
  }
  return best
}

/**
 * Levenshtein distance: the fewest letters to insert, remove or replace; undefined if they are more than `most`. Places
 * with a larger distance are not compared.
 */
function distanceWithin(most: number, a: string, b: string, search: Search): number | undefined {
  if (Math.abs(a.length - b.length) > most) return undefined
  let row = Int32Array.from({ length: b.length + 2 }, (_, i) => i)
  let next = new Int32Array(b.length + 2)
  for (let i = 1; i <= a.length; i++) {
    const [from, to] = [Math.max(1, i - most), Math.min(b.length, i + most)]
    search.left -= to - from + 1
    if (search.left < 0) return undefined
    next[from - 1] = from === 1 ? i : most + 1
    let least = next[from - 1]!
    for (let j = from; j <= to; j++) {
      const replaced = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)
      const distance = Math.min(row[j]! + 1, next[j - 1]! + 1, replaced)
      next[j] = distance
      if (distance < least) least = distance
    }
    if (least > most) return undefined
    // The next row reads it, and reaches one place further.
    next[to + 1] = most + 1
    ;[row, next] = [next, row]
  }
  const found = row[b.length]!
  return found > most ? undefined : found
}
