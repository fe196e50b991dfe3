import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { Play } from 'lucide-react'
import { lazy, Suspense } from 'react'
import { isPermitted } from '../../api/permitted.ts'
import { useRecord } from '../../api/queries.ts'
import { Button } from '../../components/button/button.tsx'
import { Tag } from '../../components/chip/chip.tsx'
import { withoutColumns } from '../../components/list/list-parameters.ts'
import { Page } from '../../components/page/page.tsx'
import { useMediaQuery } from '../../components/page/use-media-query.ts'
import { Unread } from '../../components/state/query-states.tsx'
import { Skeleton } from '../../components/state/state.tsx'
import { Tabs } from '../../components/tabs/tabs.tsx'
import { workflows as texts, workflowRuns } from '../../messages/workflows.ts'
import { EditorTab } from './editor-tab.tsx'
import { workflowCommands } from './workflow-commands.ts'
import { WorkflowMenu } from './workflow-menu.tsx'
import styles from './workflow-page.module.css'
import { workflowPath } from './workflow-path.ts'

const RunDialog = lazy(async () => ({ default: (await import('./run-dialog.tsx')).RunDialog }))
const RunsTab = lazy(async () => ({ default: (await import('./runs-tab.tsx')).RunsTab }))
const VersionsTab = lazy(async () => ({ default: (await import('./versions-tab.tsx')).VersionsTab }))

const tabs = Object.entries(texts.tabs)

/** One workflow: its definition, versions and runs. */
export function WorkflowPage() {
  const { project, code } = useParams({ from: '/workflows/$project/$code' })
  const search = useSearch({ from: '/workflows/$project/$code' })
  const { tab = 'editor', run = false } = search
  const path = workflowPath(project, code)
  const query = useRecord<'workflow'>(path)
  const workflow = query.data
  const navigate = useNavigate({ from: '/workflows/$project/$code' })
  const isWide = useMediaQuery('(min-width: 1000px)')

  if (!workflow) return <Unread query={query} skeleton={10} />
  const { name, description, archived, latest_published_version: published } = workflow.attributes
  const rightsPath = `/projects/${project}/workflows/${code}`
  const whyNotRun = archived
    ? texts.isArchived
    : published === null
      ? workflowRuns.notPublished
      : isPermitted(workflow, 'execute')
        ? undefined
        : texts.needsExecute(rightsPath)

  return (
    <Page
      documentTitle={name}
      above={
        <nav className={styles['above']} aria-label={texts.project}>
          <Link to="/workflows">{texts.title}</Link>
          <span aria-hidden>/</span>
          <Link to="/projects/$" params={{ _splat: project }}>
            {project}
          </Link>
        </nav>
      }
      title={
        <>
          <h1>{name}</h1>
          <Tag>{published === null ? texts.unpublishedTag : texts.publishedTag(published)}</Tag>
          {archived && <Tag>{texts.archivedTag}</Tag>}
        </>
      }
      commands={workflowCommands(project, code, search.tab)}
      {...(description && { subtitle: description })}
      actions={
        <>
          <Button
            variant="primary"
            disabledReason={whyNotRun}
            onClick={() => void navigate({ search: before => ({ ...before, run: true }) })}
          >
            <Play size={16} aria-hidden />
            {workflowRuns.run}
          </Button>
          <WorkflowMenu path={path} workflow={workflow} />
        </>
      }
      fill={isWide && tab === 'editor' && 'stretch'}
    >
      <div className={styles['parts']}>
        <Tabs label={texts.tabsLabel} tabs={tabs} current={tab} keep={withoutColumns} />
        {tab === 'editor' && <EditorTab key={path} path={path} project={project} />}
        <Suspense fallback={<Skeleton />}>
          {tab === 'versions' && <VersionsTab path={path} workflow={workflow} />}
          {tab === 'runs' && <RunsTab project={project} code={code} />}
        </Suspense>
      </div>
      {run && published !== null && whyNotRun === undefined && (
        <Suspense>
          <RunDialog
            project={project}
            workflow={workflow}
            published={published}
            onClose={() => void navigate({ search: before => ({ ...before, run: undefined }), replace: true })}
          />
        </Suspense>
      )}
    </Page>
  )
}
