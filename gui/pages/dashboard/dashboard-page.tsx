import { Page } from '../../components/page/page.tsx'
import { shell } from '../../messages/shell.ts'

export function DashboardPage() {
  return (
    <Page title={shell.pages.dashboard} documentTitle={shell.pages.dashboard}>
      <p />
    </Page>
  )
}
