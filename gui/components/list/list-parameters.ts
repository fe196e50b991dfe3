import { columnsText } from '../columns/column-choice.ts'
import { savedId } from '../saved-views/view-state.ts'

/** Search parameters that every list with a choice of columns and saved views has. */
export interface ListParameters {
  /** Columns in their order: `status,action`. */
  readonly columns?: string
  /** Id of the saved view that was chosen. */
  readonly saved?: string
}

export function listParameters(search: Readonly<Record<string, unknown>>): ListParameters {
  const columns = columnsText(search['columns'])
  const saved = savedId(search['saved'])
  return { ...(columns !== undefined && { columns }), ...(saved !== undefined && { saved }) }
}
