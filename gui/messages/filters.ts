/** Texts of filters in force and of totals, the same for all lists. */
export const filters = {
  inForce: 'Filters in force',
  remove: 'Remove the filter',
  clearAll: 'Clear all',
  valued: (label: string, value: string) => `${label}: ${value}`,
} as const

/** Words for one record and several of a list. */
export type Noun = readonly [one: string, several: string]

/** Total of a list: `1,204 activities`, or `10,000+ activities` when it is not counted to the end. */
export const totalText = (count: number, isExact: boolean, [one, several]: Noun): string =>
  `${count.toLocaleString('en')}${isExact ? '' : '+'} ${count === 1 && isExact ? one : several}`
