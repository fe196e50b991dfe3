/** Event as far as its place in the list depends on it. */
interface Placed {
  readonly id: string
  readonly attributes: { readonly created_at: string }
}

/** Events that the live stream has brought since the list was read. */
export interface LiveEvents<Row> {
  /** The latest arrival first. */
  readonly arrived: readonly Row[]
  /** Number of the latest arrivals that are not shown yet, because the person reads further down. */
  readonly held: number
}

export const noLiveEvents = { arrived: [], held: 0 }

/** Adds arrivals, which are shown at once if the list is at its top. */
export function withArrivals<Row extends Placed>(
  { arrived, held }: LiveEvents<Row>,
  events: readonly Row[],
  isAtTop: boolean,
): LiveEvents<Row> {
  const known = new Set(arrived.map(({ id }) => id))
  const others = events.filter(({ id }) => !known.has(id)).toReversed()
  return { arrived: [...others, ...arrived], held: isAtTop ? 0 : held + others.length }
}

/**
 * Rows of the list with what has arrived, the newest first, and how many are held back. An event that the list shows
 * already is replaced where it stands: it arrives again once it is sealed.
 */
export function mergeLive<Row extends Placed>(
  records: readonly Row[],
  { arrived, held }: LiveEvents<Row>,
): { readonly rows: readonly Row[]; readonly heldCount: number } {
  const listed = new Set(records.map(({ id }) => id))
  const byId = new Map(arrived.map(each => [each.id, each]))
  const isNew = ({ id }: Row) => !listed.has(id)
  const fresh = arrived
    .slice(held)
    .filter(isNew)
    .toSorted((a, b) => (a.attributes.created_at < b.attributes.created_at ? 1 : -1))
  return {
    rows: [...fresh, ...records.map(each => byId.get(each.id) ?? each)],
    heldCount: arrived.slice(0, held).filter(isNew).length,
  }
}
