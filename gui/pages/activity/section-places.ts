import { nextMatch } from '../../components/log-window/next-match.ts'
import type { Place, SectionRows } from '../../components/log-window/section-rows.ts'

/** More lines than a section has. */
const most = 2 ** 31

/** Places of lines in the order of the sections, and their ranks by which they are compared. */
export interface OrderedPlaces {
  readonly places: readonly Place[]
  readonly ranks: readonly number[]
}

const rankOf = (rows: SectionRows, { id, line }: Place): number | undefined => {
  const index = rows.indexOf(id)
  return index === undefined ? undefined : index * most + (line ?? -1) + 1
}

/** Sorts places of lines as the sections have them; those of other steps are left out. */
export function orderedPlaces(rows: SectionRows, places: readonly Place[]): OrderedPlaces {
  const ranked = places.flatMap(place => {
    const rank = rankOf(rows, place)
    return rank === undefined ? [] : [{ place, rank }]
  })
  ranked.sort((a, b) => a.rank - b.rank)
  return { places: ranked.map(({ place }) => place), ranks: ranked.map(({ rank }) => rank) }
}

/** The next of these places behind another one, or before it; wraps around at the ends. */
export function nextPlace(
  rows: SectionRows,
  { places, ranks }: OrderedPlaces,
  from: Place | undefined,
  direction: 1 | -1,
): Place | undefined {
  const next = nextMatch(ranks, (from && rankOf(rows, from)) ?? -1, direction)
  return next === undefined ? undefined : places[next]
}
