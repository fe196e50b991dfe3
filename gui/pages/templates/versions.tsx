import { Plus } from 'lucide-react'
import { useState } from 'react'
import { isPermitted } from '../../api/permitted.ts'
import { useList } from '../../api/queries.ts'
import type { Resource, Template } from '../../api/records.ts'
import { Button } from '../../components/button/button.tsx'
import { Panel } from '../../components/page/page.tsx'
import { ListStates } from '../../components/state/query-states.tsx'
import { EmptyState } from '../../components/state/state.tsx'
import { templates as texts } from '../../messages/templates.ts'
import styles from './templates-page.module.css'
import { VersionDialog } from './version-dialog.tsx'
import { VersionRow } from './version-row.tsx'

/** Milliseconds between reads: while a version is being fetched, and otherwise. */
const whileFetching = 1_000
const atRest = 30_000

/** Versions of a template, the newest first; a fetch is followed until it ends. */
export function Versions({ template, path, project }: { template: Resource<Template>; path: string; project: string }) {
  const [isFetching, setIsFetching] = useState(false)
  const { records, query } = useList<'template_version'>(
    `${path}/versions`,
    { limit: 200, 'filter[sorts]': 'created_at desc' },
    { every: isFetching ? whileFetching : atRest },
  )
  const fetches = records.some(({ attributes }) => attributes.state === 'initializing')
  if (fetches !== isFetching) setIsFetching(fetches)
  const [isOpen, setIsOpen] = useState(false)
  const whyNot = isPermitted(template, 'update') ? undefined : texts.needsUpdate

  return (
    <Panel
      title={texts.tabs.versions}
      flush
      actions={
        <Button size="small" disabledReason={whyNot} onClick={() => setIsOpen(true)}>
          <Plus size={14} aria-hidden />
          {texts.newVersion}
        </Button>
      }
    >
      <ListStates
        query={query}
        count={records.length}
        skeleton={6}
        empty={
          <EmptyState title={texts.noVersions} command={texts.versionCommand(project, template.attributes.code)}>
            {texts.noVersionsDetail}
          </EmptyState>
        }
      >
        <ul className={styles['versions']}>
          {records.map(version => (
            <VersionRow
              key={version.id}
              version={version}
              template={template}
              path={path}
              project={project}
              whyNot={whyNot}
            />
          ))}
        </ul>
      </ListStates>
      {isOpen && <VersionDialog path={path} onClose={() => setIsOpen(false)} />}
    </Panel>
  )
}
