import { isMembers } from '../../preferences/merge-patch.ts'
import { usePreferences, useSavePreferences } from '../../preferences/preferences.ts'
import type { Column } from '../table/table.tsx'
import { chosenColumns, columnsIn, isDefault, textOf } from './column-choice.ts'

interface ColumnsOptions<Row> {
  /** Name of the list in the preferences. */
  readonly list: string
  readonly all: readonly Column<Row>[]
  /** Value of the search parameter `columns`, which wins over the preference. */
  readonly inAddress: string | undefined
  readonly onAddress: (columns: string | undefined) => void
}

export interface ColumnsOf<Row> {
  readonly all: readonly Column<Row>[]
  readonly shown: readonly Column<Row>[]
  readonly choose: (ids: readonly string[]) => void
}

/** Columns of a list: those of the address, else those that the user chose last, else the default. */
export function useColumns<Row>({ list, all, inAddress, onAddress }: ColumnsOptions<Row>): ColumnsOf<Row> {
  const saved = usePreferences()?.columns
  const save = useSavePreferences()
  const preferred = isMembers(saved) ? columnsIn(saved[list]) : undefined
  return {
    all,
    shown: chosenColumns(all, inAddress?.split(',') ?? preferred),
    choose: ids => {
      const isUsual = isDefault(all, ids)
      save({ columns: { [list]: isUsual ? null : [...ids] } })
      onAddress(isUsual ? undefined : textOf(ids))
    },
  }
}
