/** Choice of the columns of a table. */
export const columns = {
  choose: 'Columns…',
  title: 'Columns',
  detail: 'Columns of this list and their order, kept with your account. Narrow windows show the most important ones.',
  reset: 'Default columns',
  isDefault: 'The default columns are chosen.',
  apply: 'Apply',
  fixed: 'always shown',
  up: (name: string) => `Move ${name} up`,
  down: (name: string) => `Move ${name} down`,
  isFirst: 'It is the first column.',
  isLast: 'It is the last column.',
  place: (name: string, place: number, of: number) => `${name} is at place ${place} of ${of}.`,
} as const
