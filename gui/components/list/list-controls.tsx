import { textOf } from '../columns/column-choice.ts'
import { ColumnsButton } from '../columns/columns-button.tsx'
import type { ColumnsOf, TitledColumn } from '../columns/use-columns.ts'
import { SavedViews } from '../saved-views/saved-views.tsx'
import type { ViewState } from '../saved-views/view-state.ts'

interface ListControlsProps {
  /** List of the API: `activities`. */
  readonly list: string
  readonly columns: ColumnsOf<TitledColumn>
  /** Filters and sorting in force. */
  readonly state: object
  /** Reads what of a state the page knows. */
  readonly read: (state: ViewState) => object
  readonly saved: string | undefined
  readonly onOpen: (state: ViewState, saved: string | undefined) => void
}

/** Saved views and columns of a list, among the actions of its page. */
export function ListControls({ list, columns, state, read, saved, onOpen }: ListControlsProps) {
  return (
    <>
      <SavedViews
        list={list}
        state={{ ...state, columns: textOf(columns.shown.map(({ id }) => id)) }}
        read={from => ({ ...read(from) })}
        saved={saved}
        onOpen={onOpen}
      />
      <ColumnsButton columns={columns} />
    </>
  )
}
