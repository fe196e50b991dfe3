import { Page } from '../../components/page/page.tsx'
import { shell } from '../../messages/shell.ts'

export function ApprovalsPage() {
  return (
    <Page title={shell.pages.approvals} documentTitle={shell.pages.approvals}>
      <p />
    </Page>
  )
}
