import { useNavigate, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { isMembers } from '../../preferences/merge-patch.ts'
import { usePreferences, useSavePreferences } from '../../preferences/preferences.ts'
import { type ChoosableColumn, chosenColumns, columnsIn, isDefault, textOf } from './column-choice.ts'

/** Column with what the choice of columns shows of it. */
export interface TitledColumn extends ChoosableColumn {
  readonly title: ReactNode
  /** Name in the choice, if the title is not a text. */
  readonly name?: string
}

export interface ColumnsOf<Column extends TitledColumn> {
  readonly all: readonly Column[]
  readonly shown: readonly Column[]
  readonly choose: (ids: readonly string[]) => void
}

/**
 * Columns of a list: those of the address, else those that the user chose last, else the default. The page reads the
 * search parameter `columns` by `columnsParameter`.
 *
 * @param list name of the list in the preferences
 */
export function useColumns<Column extends TitledColumn>(list: string, all: readonly Column[]): ColumnsOf<Column> {
  const { columns: inAddress } = useSearch({ strict: false })
  const navigate = useNavigate()
  const saved = usePreferences()?.columns
  const save = useSavePreferences()
  const preferred = isMembers(saved) ? columnsIn(saved[list]) : undefined
  return {
    all,
    shown: chosenColumns(all, inAddress?.split(',') ?? preferred),
    choose: ids => {
      const isUsual = isDefault(all, ids)
      save({ columns: { [list]: isUsual ? null : [...ids] } })
      void navigate({
        to: '.',
        search: before => ({ ...before, columns: isUsual ? undefined : textOf(ids) }),
        replace: true,
        resetScroll: false,
      })
    },
  }
}
