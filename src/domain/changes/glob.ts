import { type Failure, failure } from '#platform/failure.ts'

/** Remaining work for matching: one unit for each comparison of a position in a glob with a character of a text. */
export interface Work {
  left: number
}

/**
 * Limit of the work for matching, less than a second of one core. Thousands of plain globs over thousands of steps stay
 * far below.
 */
export const mostWork = (): Work => ({ left: 50_000_000 })

/**
 * A case-insensitive glob: `*` is any run of characters within one name of a path, `**` across names, `?` one character
 * of a name. Not a regular expression: those take exponential time for globs such as `*?*?*?*?*?*?x`, and any user who
 * may run an action writes globs.
 *
 * @returns whether a text matches; throws Failure `invalid` when `work` is used up
 */
export function globMatcher(glob: string): (text: string, work: Work) => boolean {
  const lower = glob.toLowerCase()
  const beginning = /^[^*?]*/.exec(lower)![0]
  const parts = partsOf(lower)
  const end = parts.length
  let here = new Uint8Array(end + 1)
  let next = new Uint8Array(end + 1)
  /**
   * Marks a reachable position, and those behind it that are reachable because `*` also matches nothing; returns the
   * last of them.
   */
  const reach = (places: Uint8Array, from: number): number => {
    let at = from
    places[at] = 1
    while (at < end && (parts[at] === within || parts[at] === across)) places[++at] = 1
    return at
  }
  return (given, work) => {
    const text = given.toLowerCase()
    // A thousand plain globs over twenty thousand steps mostly end here.
    work.left -= 1 + text.length / charactersAtOnce
    if (work.left < 0) throw tooMuch()
    if (!text.startsWith(beginning)) return false
    work.left -= toSetUp
    here.fill(0)
    let low = 0
    let high = reach(here, 0)
    for (const each of text) {
      const character = each.codePointAt(0)!
      work.left -= high - low + 1
      if (work.left < 0) throw tooMuch()
      next.fill(0)
      let lowest = end + 1
      let highest = -1
      for (let at = low; at <= high && at < end; at++) {
        if (here[at] === 0) continue
        const part = parts[at]!
        const stays = part === across || (part === within && character !== slash)
        if (!stays && part !== character && (part !== one || character === slash)) continue
        const to = stays ? at : at + 1
        if (to < lowest) lowest = to
        const reached = reach(next, to)
        if (reached > highest) highest = reached
      }
      if (highest < 0) return false
      ;[here, next] = [next, here]
      low = lowest
      high = highest
    }
    return here[end] === 1
  }
}

/** Fixed costs of a match, and of searching the text of a step as a whole, in units of work. */
const [toSetUp, charactersAtOnce] = [16, 64]

/** Special characters of a glob, as numbers that no character has. */
const [within, across, one] = [-1, -2, -3]
const slash = 47

function partsOf(glob: string): Int32Array {
  const sign = (part: string): number | undefined =>
    part === '*' ? within : part.startsWith('**') ? across : part === '?' ? one : part.codePointAt(0)
  return Int32Array.from(glob.match(/\*+|[^*]/gu) ?? [], part => sign(part)!)
}

const tooMuch = (): Failure =>
  failure('invalid', 'These globs take too long for this number of steps: write fewer of them, or fewer asterisks.', {
    source: { pointer: '/data/attributes/skip_steps' },
  })
