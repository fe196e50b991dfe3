import { Page } from '../../components/page/page.tsx'
import { shell } from '../../messages/shell.ts'

export function ProjectsPage() {
  return (
    <Page title={shell.pages.projects} documentTitle={shell.pages.projects}>
      <p />
    </Page>
  )
}
