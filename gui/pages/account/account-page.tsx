import { Page } from '../../components/page/page.tsx'
import { shell } from '../../messages/shell.ts'

export function AccountPage() {
  return (
    <Page title={shell.account} documentTitle={shell.account}>
      <p />
    </Page>
  )
}
