import { useState } from 'react'
import { useList } from '../../../api/queries.ts'
import type { Resource, TemplateVersion } from '../../../api/records.ts'
import { Button } from '../../../components/button/button.tsx'
import { Tag } from '../../../components/chip/chip.tsx'
import { Panel } from '../../../components/page/page.tsx'
import { ListStates } from '../../../components/state/query-states.tsx'
import { Time } from '../../../components/time/time.tsx'
import { nodeDialogs, nodeTabs as texts } from '../../../messages/projects.ts'
import { projectPathOf } from '../node.ts'
import type { NodeTabProps } from '../node-tab.ts'
import { useReadyVersions } from '../use-versions.ts'
import { versionSource } from '../versions.ts'
import { whyNotChange } from '../why-not.ts'
import { MoveDialog } from './move-dialog.tsx'
import styles from './tabs.module.css'

/** Versions of the template that the node can move to, and those that it had. */
export default function VersionsTab({ node, path }: NodeTabProps) {
  const { template_code: code, template_version: current } = node.attributes
  const { records, query } = useReadyVersions(`${projectPathOf(path)}/templates/${code}`)
  const [chosen, setChosen] = useState<string>()
  return (
    <div className={styles['columns']}>
      <div>
        <Panel title={texts.versions} flush>
          <ListStates
            query={query}
            count={records.length}
            skeleton={3}
            empty={<p className={`${styles['padded']} ${styles['soft']}`}>{nodeDialogs.noVersions}</p>}
          >
            <ul className={styles['rows']}>
              {records.map(version => (
                <Version
                  key={version.id}
                  version={version}
                  isCurrent={version.attributes.version === current}
                  reason={whyNotChange(node)}
                  onChoose={() => setChosen(version.attributes.version)}
                />
              ))}
            </ul>
          </ListStates>
        </Panel>
      </div>
      <div>
        <History path={path} />
      </div>
      {chosen !== undefined && (
        <MoveDialog node={node} path={path} version={chosen} onClose={() => setChosen(undefined)} />
      )}
    </div>
  )
}

interface VersionProps {
  readonly version: Resource<TemplateVersion>
  readonly isCurrent: boolean
  /** Why the node cannot move to it. */
  readonly reason: string | undefined
  readonly onChoose: () => void
}

const Version = ({ version: { attributes }, isCurrent, reason, onChoose }: VersionProps) => (
  <li>
    <div className={styles['main']}>
      <span className={styles['name']}>
        {attributes.version} {isCurrent && <Tag>{texts.current}</Tag>}
      </span>
      <span className={styles['line']}>
        <code>{versionSource(attributes)}</code>
        <span>
          <Time at={attributes.created_at} /> {texts.by} {attributes.created_by}
        </span>
        {attributes.description !== '' && <span>{attributes.description}</span>}
      </span>
    </div>
    {!isCurrent && (
      <Button size="small" aria-label={texts.moveTo(attributes.version)} disabledReason={reason} onClick={onChoose}>
        {texts.move}
      </Button>
    )}
  </li>
)

/** Periods in which the node had each version. */
function History({ path }: { path: string }) {
  const { records, query } = useList<'template_version_history'>(`/api${path}/version_history`, { limit: 100 })
  return (
    <Panel title={texts.versionHistory} flush>
      <ListStates query={query} count={records.length} skeleton={3} empty={null}>
        <ul className={styles['rows']}>
          {records
            .toSorted((one, other) => (one.attributes.active_from < other.attributes.active_from ? 1 : -1))
            .map(({ id, attributes: { active_from: from, active_to: to, created_by: user }, links }) => (
              <li key={id}>
                <div className={styles['main']}>
                  <span className={styles['name']}>
                    {versionOf(links)} {to === null && <Tag>{texts.current}</Tag>}
                  </span>
                  <span className={styles['line']}>
                    <span>
                      <Time at={from} absolute /> {texts.by} {user}
                    </span>
                  </span>
                </div>
              </li>
            ))}
        </ul>
      </ListStates>
    </Panel>
  )
}

/** Name of the version that a record of the history links to. */
const versionOf = (links: Resource['links']): string => {
  const link = links?.['template_version']
  return link === undefined ? '' : decodeURIComponent(link.slice(link.lastIndexOf('/') + 1))
}
