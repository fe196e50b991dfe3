import { Play } from 'lucide-react'
import { Button } from '../../components/button/button.tsx'
import { Tag } from '../../components/chip/chip.tsx'
import { NodePath } from '../../components/node-path/node-path.tsx'
import { Page, Panel } from '../../components/page/page.tsx'
import { Specimen } from '../specimen.tsx'

export function PagePage() {
  return (
    <Specimen title="A page with panels" inside="shell" wide>
      <Page
        // The page of the gallery has the first heading already.
        title={
          <>
            <h2>Front</h2>
            <Tag>Asset</Tag>
          </>
        }
        documentTitle="Component gallery"
        above={<NodePath path="/projects/bank/environments/live" links />}
        commands={[]}
        subtitle="Web servers of the public site"
        actions={
          <>
            <Button>Edit…</Button>
            <Button variant="primary">
              <Play size={15} aria-hidden />
              Run…
            </Button>
          </>
        }
      >
        <Panel title="Recent activities" actions={<Button size="small">Show all</Button>}>
          Three changes succeeded today.
        </Panel>
        <Panel title="A long title that has to be broken where the window is as narrow as a phone" flush>
          Flush content, such as a table.
        </Panel>
        <Panel>Without a title.</Panel>
      </Page>
    </Specimen>
  )
}
