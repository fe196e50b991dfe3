import { ColumnsDialog } from '../../components/columns/columns-dialog.tsx'

const all: readonly { id: string; name: string; isFixed?: true; isExtra?: true }[] = [
  { id: 'status', name: 'Status', isFixed: true },
  { id: 'action', name: 'Action', isFixed: true },
  { id: 'target', name: 'Target' },
  { id: 'user', name: 'User' },
  { id: 'ticket', name: 'metadata.number-of-the-ticket-in-the-change-calendar', isExtra: true },
]

export function ColumnsPage() {
  return <ColumnsDialog all={all} shown={['status', 'action', 'user']} onChoose={() => {}} onClose={() => {}} />
}
