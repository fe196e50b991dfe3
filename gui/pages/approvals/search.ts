/** View of the approvals page, as its address holds it. */
export interface ApprovalSearch {
  readonly view?: 'all' | 'decided'
}

export const readApprovalSearch = ({ view }: Readonly<Record<string, unknown>>): ApprovalSearch =>
  view === 'all' || view === 'decided' ? { view } : {}
