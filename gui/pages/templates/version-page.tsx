import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { isPermitted } from '../../api/permitted.ts'
import { useRecord } from '../../api/queries.ts'
import type { Resource, Template, TemplateVersion } from '../../api/records.ts'
import { Facts } from '../../components/facts/facts.tsx'
import { Page, Panel } from '../../components/page/page.tsx'
import { Unread } from '../../components/state/query-states.tsx'
import { Skeleton } from '../../components/state/state.tsx'
import { Time } from '../../components/time/time.tsx'
import { templates as texts } from '../../messages/templates.ts'
import { FetchLog } from './fetch-log.tsx'
import { versionCommands } from './template-commands.ts'
import { TemplateTrail } from './template-trail.tsx'
import styles from './templates-page.module.css'
import { VersionMenu } from './version-menu.tsx'
import { VersionProblem, VersionState, VersionTags } from './version-state.tsx'

/** Milliseconds between reads: while the version is being fetched, and otherwise. */
const whileFetching = 1_000
const atRest = 30_000

const VersionEvents = lazy(() => import('./version-events.tsx'))

const from = '/templates/$project/$code/$version'

/** One version of a template: what it comes from, the log of its last fetch, and what happened to it. */
export function VersionPage() {
  const { project, code, version: name } = useParams({ from })
  const path = `/api/projects/${project}/templates/${code}`
  const template = useRecord<'template'>(path)
  const self = `${path}/versions/${encodeURIComponent(name)}`
  const [isFetching, setIsFetching] = useState(false)
  const read = useRecord<'template_version'>(self, undefined, { every: isFetching ? whileFetching : atRest })
  const fetches = read.data?.attributes.state === 'initializing'
  if (fetches !== isFetching) setIsFetching(fetches)
  if (!template.data) return <Unread query={template} />
  if (!read.data) return <Unread query={read} />
  return <Version version={read.data} template={template.data} path={path} project={project} />
}

interface VersionProps {
  readonly version: Resource<TemplateVersion>
  readonly template: Resource<Template>
  /** Path of the template in the API. */
  readonly path: string
  readonly project: string
}

function Version({ version: record, template, path, project }: VersionProps) {
  const navigate = useNavigate({ from })
  const { code, name } = template.attributes
  const { version, state, git_rev: rev, git_remote_name: remote, commit_sha: commit } = record.attributes
  return (
    <Page
      title={
        <>
          <h1>{version}</h1>
          <VersionState state={state} />
          <VersionTags version={record.attributes} />
        </>
      }
      documentTitle={`${version} · ${name}`}
      above={
        <TemplateTrail project={project}>
          <Link to="/templates/$project/$code" params={{ project, code }}>
            {name}
          </Link>
        </TemplateTrail>
      }
      subtitle={record.attributes.description}
      actions={
        <VersionMenu
          version={record}
          template={template}
          path={path}
          project={project}
          whyNot={isPermitted(template, 'update') ? undefined : texts.needsUpdate}
          onRemoved={() => void navigate({ to: '/templates/$project/$code', params: { project, code } })}
        />
      }
      commands={versionCommands(project, code, version)}
    >
      <VersionProblem version={record.attributes} project={project} />
      <Panel title={texts.source}>
        <Facts
          facts={[
            [
              texts.gitRemote,
              <Link key="remote" to="/projects/$" params={{ _splat: project }} search={{ tab: 'remotes', remote }}>
                {remote}
              </Link>,
            ],
            [texts.versionColumns.revision, rev],
            [texts.commit, commit && <code>{commit}</code>],
            [
              texts.columns.created,
              <>
                <Time at={record.attributes.created_at} /> {texts.by} {record.attributes.created_by}
              </>,
            ],
            [texts.columns.updated, <Time key="updated" at={record.attributes.updated_at} />],
          ]}
        />
      </Panel>
      <Panel title={texts.fetchLog}>
        <FetchLog versionId={record.id} isFetching={state === 'initializing'} />
      </Panel>
      <section className={styles['events']}>
        <h2>{texts.events}</h2>
        <Suspense fallback={<Skeleton rows={3} />}>
          <VersionEvents versionId={record.id} every={state === 'initializing' ? whileFetching : atRest} />
        </Suspense>
      </section>
    </Page>
  )
}
