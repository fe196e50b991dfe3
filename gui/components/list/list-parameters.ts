import { columnsText } from '../columns/column-choice.ts'
import { savedId } from '../saved-views/view-state.ts'

/** Search parameter that every page with a choice of columns has. */
export interface ColumnsParameter {
  /** Columns in their order: `status,action`. */
  readonly columns?: string
}

/** Search parameters that every list with a choice of columns and saved views has. */
export interface ListParameters extends ColumnsParameter {
  /** Id of the saved view that was chosen. */
  readonly saved?: string
}

type Given = Readonly<Record<string, unknown>>

export function columnsParameter(search: Given): ColumnsParameter {
  const columns = columnsText(search['columns'])
  return columns === undefined ? {} : { columns }
}

export function listParameters(search: Given): ListParameters {
  const saved = savedId(search['saved'])
  return { ...columnsParameter(search), ...(saved !== undefined && { saved }) }
}

/** What stays of an address when a tab with another list is opened. */
export const withoutColumns = ({ columns: _, ...search }: Record<string, unknown>): Record<string, unknown> => search
