import { Panel } from '../../../components/page/page.tsx'
import { Time } from '../../../components/time/time.tsx'
import { nodeTabs as texts } from '../../../messages/projects.ts'
import type { NodeTabProps } from '../node-tab.ts'
import styles from './tabs.module.css'

/** Path of a node, and who created it when. */
export function DetailsPanel({ node, path }: NodeTabProps) {
  const { created_by: user, created_at: created, updated_at: updated } = node.attributes
  return (
    <Panel title={texts.details}>
      <dl className={styles['details']}>
        <dt>{texts.path}</dt>
        <dd>
          <code>{path}</code>
        </dd>
        <dt>{texts.created}</dt>
        <dd>
          <Time at={created} /> {texts.by} {user}
        </dd>
        <dt>{texts.updated}</dt>
        <dd>
          <Time at={updated} />
        </dd>
      </dl>
    </Panel>
  )
}
