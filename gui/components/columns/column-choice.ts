/** Column as far as the choice of columns reads it. */
export interface ChoosableColumn {
  readonly id: string
  /** Cannot be left out: it holds the link of the row. */
  readonly isFixed?: true
  /** Only shown to those who choose it. */
  readonly isExtra?: true
}

const ids = /^[a-zA-Z_]+(,[a-zA-Z_]+)*$/

/** Text of the search parameter `columns`, if it has its form: `status,action`. */
export const columnsText = (value: unknown): string | undefined =>
  typeof value === 'string' && ids.test(value) ? value : undefined

/** Names of columns that the preferences hold for a list. */
export const columnsIn = (value: unknown): readonly string[] | undefined =>
  Array.isArray(value) && value.every(each => typeof each === 'string') ? value : undefined

export const defaultColumns = <Column extends ChoosableColumn>(all: readonly Column[]): Column[] =>
  all.filter(({ isExtra }) => !isExtra)

/**
 * Columns that a choice shows, in its order. Names that the list does not have are left out; fixed columns that are
 * missing come first. Without a choice, or if nothing is left of it, the default.
 */
export function chosenColumns<Column extends ChoosableColumn>(
  all: readonly Column[],
  choice: readonly string[] | undefined,
): Column[] {
  const known = [...new Set(choice)].flatMap(id => all.find(column => column.id === id) ?? [])
  if (known.length === 0) return defaultColumns(all)
  return [...all.filter(column => column.isFixed && !known.includes(column)), ...known]
}

export const isDefault = (all: readonly ChoosableColumn[], choice: readonly string[]): boolean =>
  textOf(choice) === textOf(defaultColumns(all).map(({ id }) => id))

export const textOf = (choice: readonly string[]): string => choice.join(',')

/** List with one element moved by some places, as far as the list reaches. */
export function moved<Element>(list: readonly Element[], from: number, by: number): Element[] {
  const to = Math.min(list.length - 1, Math.max(0, from + by))
  const others = list.toSpliced(from, 1)
  return others.toSpliced(to, 0, list[from]!)
}
