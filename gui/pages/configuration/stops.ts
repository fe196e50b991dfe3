/** Time at which a layer of the configuration got a new version. */
export interface Stop {
  readonly at: string
  readonly changes: readonly StopChange[]
}

interface StopChange {
  /** Type of the owner whose properties changed: `project`, `template_version`. */
  readonly type: string
  readonly name: string
  readonly version: number | string
}

/** Entry of the properties history: a layer with its versions. */
export interface LayerHistory {
  readonly type: string
  readonly name: string
  readonly versions: readonly { readonly version: number; readonly start: string }[]
  /** Template versions that an asset had. */
  readonly templateVersions?: readonly { readonly version: string; readonly active_from: string }[]
}

/** Stops of the time slider, oldest first, from the creation of the node on; what changed at once is one stop. */
export function stopsOf(layers: readonly LayerHistory[], createdAt: string): Stop[] {
  const changes = layers.flatMap(({ type, name, versions, templateVersions = [] }) => [
    ...versions.map(({ version, start }) => ({ at: start, change: { type, name, version } })),
    ...templateVersions.map(({ version, active_from }) => ({
      at: active_from,
      change: { type: 'template_assignment', name, version },
    })),
  ])
  const later = changes.filter(({ at }) => isAfter(at, createdAt))
  const byTime = Map.groupBy(later, ({ at }) => at)
  const stops = [...byTime].map(([at, some]) => ({ at, changes: some.map(({ change }) => change) }))
  const first = { at: createdAt, changes: [] }
  return [first, ...stops.toSorted((a, b) => (isAfter(a.at, b.at) ? 1 : -1))]
}

/** Index of the stop whose configuration is shown at a time; without one, the last. */
export function stopAt(stops: readonly Stop[], at: string | undefined): number {
  if (at === undefined) return stops.length - 1
  const next = stops.findIndex(stop => isAfter(stop.at, endOfDay(at)))
  return next === -1 ? stops.length - 1 : Math.max(0, next - 1)
}

/** Time of a stop as the address holds it; the last stop is the present. */
export const timeOfStop = (stops: readonly Stop[], index: number): string | undefined =>
  index >= stops.length - 1 ? undefined : stops[Math.max(0, index)]?.at

/** A bare date means the end of its day in UTC, as for the API. */
export const endOfDay = (at: string): string => (/^\d{4}-\d\d-\d\d$/.test(at) ? `${at}T23:59:59.999999Z` : at)

/** Whether one time is after another. Times of the API have microseconds, which Date drops. */
export function isAfter(a: string, b: string): boolean {
  const [first, second] = [Date.parse(a), Date.parse(b)]
  return first === second ? a > b : first > second
}
