import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useCallback } from 'react'
import { useList, useRecord } from '../../api/queries.ts'
import type { Event, Resource, Template, TemplateVersion } from '../../api/records.ts'
import { Facts } from '../../components/facts/facts.tsx'
import { ListTable } from '../../components/list/list-table.tsx'
import { Page, Panel } from '../../components/page/page.tsx'
import { Unread } from '../../components/state/query-states.tsx'
import { EmptyState } from '../../components/state/state.tsx'
import type { Column, FewColumns } from '../../components/table/table.tsx'
import { Time } from '../../components/time/time.tsx'
import { templates as texts } from '../../messages/templates.ts'
import { eventOfActivityColumn, timeColumn, userColumn } from '../audit/event-columns.tsx'
import { EventSheet } from '../audit/event-sheet.tsx'
import { FetchLog } from './fetch-log.tsx'
import { versionCommands } from './template-commands.ts'
import { isPermitted } from './template-path.ts'
import { TemplateTrail } from './template-trail.tsx'
import styles from './templates-page.module.css'
import { VersionMenu } from './version-menu.tsx'
import { VersionProblem, VersionState, VersionTags } from './version-state.tsx'

/** Milliseconds between reads: while the version is being fetched, and otherwise. */
const whileFetching = 1_000
const atRest = 30_000

const from = '/templates/$project/$code/$version'

/** One version of a template: what it comes from, the log of its last fetch, and what happened to it. */
export function VersionPage() {
  const { project, code, version: name } = useParams({ from })
  const path = `/api/projects/${project}/templates/${code}`
  const template = useRecord<'template'>(path)
  const self = `${path}/versions/${encodeURIComponent(name)}`
  const read = useRecord<'template_version'>(self, undefined, { every: atRest })
  const isFetching = read.data?.attributes.state === 'initializing'
  // Read in addition to the query above, whose period it shortens.
  useRecord<'template_version'>(self, undefined, { every: whileFetching, enabled: isFetching })
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
        <Events versionId={record.id} isFetching={state === 'initializing'} />
      </section>
    </Page>
  )
}

const columns: FewColumns<Column<Resource<Event>>> = [eventOfActivityColumn, userColumn, timeColumn]

function Events({ versionId, isFetching }: { versionId: string; isFetching: boolean }) {
  const { event } = useSearch({ from })
  const navigate = useNavigate({ from })
  const close = useCallback(() => void navigate({ search: {}, replace: true, resetScroll: false }), [navigate])
  const list = useList<'event'>(
    '/api/events',
    { 'filter[source_id_eq]': versionId, 'filter[sorts]': 'created_at desc', limit: 50 },
    { every: isFetching ? whileFetching : atRest },
  )
  return (
    <>
      <ListTable
        list={list}
        label={texts.events}
        columns={columns}
        narrowLines={2}
        empty={<EmptyState title={texts.noEvents}>{texts.noEventsDetail}</EmptyState>}
      />
      {event !== undefined && <EventSheet id={event} onClose={close} />}
    </>
  )
}
