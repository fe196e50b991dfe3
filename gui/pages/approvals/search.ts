import { type ColumnsParameter, columnsParameter } from '../../components/list/list-parameters.ts'

/** View of the approvals page, as its address holds it. */
export interface ApprovalSearch extends ColumnsParameter {
  readonly view?: 'all' | 'decided'
}

export const readApprovalSearch = (search: Readonly<Record<string, unknown>>): ApprovalSearch => {
  const { view } = search
  return { ...((view === 'all' || view === 'decided') && { view }), ...columnsParameter(search) }
}
