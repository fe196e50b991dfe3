import { Link, useParams, useSearch } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { useRecord } from '../../api/queries.ts'
import { Tag } from '../../components/chip/chip.tsx'
import { Page } from '../../components/page/page.tsx'
import { Unread } from '../../components/state/query-states.tsx'
import { Skeleton } from '../../components/state/state.tsx'
import { Tabs } from '../../components/tabs/tabs.tsx'
import { templates as texts } from '../../messages/templates.ts'
import { TemplateActions } from './template-actions.tsx'
import { templateCommands } from './template-commands.ts'
import { TemplateTrail } from './template-trail.tsx'
import { Versions } from './versions.tsx'

const TemplateNodes = lazy(async () => ({ default: (await import('./template-nodes.tsx')).TemplateNodes }))

/** One template: its versions, and the nodes that use it. */
export function TemplatePage() {
  const { project, code } = useParams({ from: '/templates/$project/$code' })
  const search = useSearch({ from: '/templates/$project/$code' })
  const { tab = 'versions' } = search
  const path = `/api/projects/${project}/templates/${code}`
  const query = useRecord<'template'>(path)
  const template = query.data
  if (!template) return <Unread query={query} />
  const { name, description, archived, disabled, template_type: type, git_remote_name: remote } = template.attributes
  return (
    <Page
      title={
        <>
          <h1>{name}</h1>
          <Tag>{texts.types[type]}</Tag>
          {archived && <Tag>{texts.archived}</Tag>}
          {disabled && <Tag>{texts.disabled}</Tag>}
        </>
      }
      documentTitle={`${name} · ${texts.title}`}
      above={<TemplateTrail project={project}>{code}</TemplateTrail>}
      subtitle={
        <>
          {description && <p>{description}</p>}
          <span>
            {texts.gitRemote}{' '}
            <Link to="/projects/$" params={{ _splat: project }} search={{ tab: 'remotes', remote }}>
              {remote}
            </Link>
          </span>
        </>
      }
      actions={<TemplateActions template={template} path={path} project={project} />}
      commands={templateCommands(project, code, search.tab)}
    >
      <Tabs
        label={texts.tabsLabel}
        current={tab}
        tabs={[
          ['versions', texts.tabs.versions],
          ['nodes', texts.tabs.nodes],
        ]}
      />
      {tab === 'versions' ? (
        <Versions template={template} path={path} project={project} />
      ) : (
        <Suspense fallback={<Skeleton rows={6} />}>
          <TemplateNodes project={project} code={code} />
        </Suspense>
      )}
    </Page>
  )
}
