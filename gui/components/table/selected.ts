/** Keys of selected rows. */
export type Selected = ReadonlySet<string>

/** Keys from one index to another, in either direction, both included. */
export const rangeOf = (keys: readonly string[], from: number, to: number): string[] =>
  keys.slice(Math.min(from, to), Math.max(from, to) + 1)
