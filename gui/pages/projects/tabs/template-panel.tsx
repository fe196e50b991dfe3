import { Link } from '@tanstack/react-router'
import { Panel } from '../../../components/page/page.tsx'
import { nodeTabs as texts } from '../../../messages/projects.ts'
import { projectPathOf } from '../node.ts'
import type { NodeTabProps } from '../node-tab.ts'
import { useReadyVersions } from '../use-versions.ts'
import { newerVersions } from '../versions.ts'
import styles from './tabs.module.css'

/** Template of a node with its version, and whether there are newer ones. */
export function TemplatePanel({ node, path }: NodeTabProps) {
  const { template_code: code, template_version: version } = node.attributes
  const { records, query } = useReadyVersions(`${projectPathOf(path)}/templates/${code}`)
  const newer = newerVersions(records, version)
  return (
    <Panel
      title={texts.template}
      actions={
        <Link to="." search={(before: Record<string, unknown>) => ({ ...before, tab: 'versions' })}>
          {newer.length > 0 ? texts.move : texts.versionHistory}
        </Link>
      }
    >
      <div className={styles['stack']}>
        <span className={styles['name']}>
          {code} {version}
        </span>
        {query.isSuccess && (
          <span className={styles['soft']}>{newer.length > 0 ? texts.newer(newer.length) : texts.newest}</span>
        )}
      </div>
    </Panel>
  )
}
