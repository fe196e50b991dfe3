import { Page } from '../../components/page/page.tsx'
import { shell } from '../../messages/shell.ts'

export function ActivityPage() {
  return (
    <Page title={shell.pages.activities} documentTitle={shell.pages.activities}>
      <p />
    </Page>
  )
}
