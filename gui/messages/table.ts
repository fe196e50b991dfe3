/** Selection of rows in tables. */
export const table = {
  selection: 'Selection',
  select: (name: string) => `Select ${name}`,
  selectAll: (count: number) => `Select all ${count} rows that are loaded`,
} as const
