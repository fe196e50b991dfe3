import { type ReadOptions, useDocument } from '../../api/queries.ts'
import type { Document, Resource } from '../../api/records.ts'
import { Tag } from '../../components/chip/chip.tsx'
import { Loaded } from '../../components/state/query-states.tsx'
import { Time } from '../../components/time/time.tsx'
import { templates } from '../../messages/templates.ts'
import styles from './version-changes.module.css'

const texts = templates.changes

interface Commit {
  readonly sha: string
  readonly subject: string
  readonly author: string
  readonly committed_at: string | null
}

interface ChangedFile {
  readonly path: string
  readonly change: keyof typeof texts.kinds
  readonly previous_path?: string
}

type Changes = Document<
  Resource<{
    readonly commits: readonly Commit[]
    readonly commit_count: number
    readonly removed_commits: readonly Commit[]
    readonly removed_commit_count: number
    readonly commit_sha: string
    readonly since_commit_sha: string
    readonly files: readonly ChangedFile[]
    readonly file_count: number
  }>
>

export interface VersionChangesProps {
  /** Path of the template. */
  readonly template: string
  /** Version that the nodes have. */
  readonly since: string
  readonly version: string
}

/** Reads in what a version of a template differs from the one that nodes have. */
export const useVersionChanges = ({ template, since, version }: VersionChangesProps, options: ReadOptions = {}) =>
  useDocument<Changes>(`/api${template}/versions/${encodeURIComponent(version)}/changes`, { since }, options)

/** Commits and files in which a version of a template differs from the one that nodes have. */
export function VersionChanges({ template, since, version }: VersionChangesProps) {
  const changes = useVersionChanges({ template, since, version })
  return (
    <section className={styles['changes']} aria-label={texts.title(since, version)}>
      <Loaded query={changes} skeleton={3}>
        {({ data }) => <Lists changes={data.attributes} since={since} version={version} />}
      </Loaded>
    </section>
  )
}

function Lists({
  changes,
  since,
  version,
}: Pick<VersionChangesProps, 'since' | 'version'> & { readonly changes: Changes['data']['attributes'] }) {
  const { commits, commit_count: count, removed_commits: removed, removed_commit_count: lost } = changes
  const { commit_sha: commit, since_commit_sha: before } = changes
  if (count + lost + changes.file_count === 0) return <p>{texts.same(shortSha(commit))}</p>
  return (
    <>
      <p className={styles['line']}>{texts.between(shortSha(before), shortSha(commit))}</p>
      {count > 0 && <Commits title={texts.commits(count, version)} commits={commits} count={count} />}
      {lost > 0 && <Commits title={texts.removed(lost, since)} commits={removed} count={lost} />}
      {changes.file_count > 0 && <Files files={changes.files} count={changes.file_count} />}
    </>
  )
}

const shortSha = (sha: string): string => sha.slice(0, 8)

/** Rows of a list shown at most; the page is a dialog, not a browser of a repository. */
const most = 50

function Commits({ title, commits, count }: { title: string; commits: readonly Commit[]; count: number }) {
  const shown = commits.slice(0, most)
  return (
    <div>
      <h3>{title}</h3>
      <ul className={styles['list']} aria-label={title}>
        {shown.map(({ sha, subject, author, committed_at: time }) => (
          <li key={sha}>
            <span>{subject === '' ? texts.noSubject : subject}</span>
            <span className={styles['line']}>
              <code>{shortSha(sha)}</code> {author} {time !== null && <Time at={time} />}
            </span>
          </li>
        ))}
        {count > shown.length && <li className={styles['line']}>{texts.more(count - shown.length, 'commits')}</li>}
      </ul>
    </div>
  )
}

function Files({ files, count }: { files: readonly ChangedFile[]; count: number }) {
  const shown = files.slice(0, most)
  const title = texts.files(count)
  return (
    <div>
      <h3>{title}</h3>
      <ul className={styles['list']} aria-label={title}>
        {shown.map(({ path, change, previous_path: before }) => (
          <li key={path}>
            <span>
              <code>{path}</code> <Tag>{texts.kinds[change]}</Tag>
            </span>
            {before !== undefined && <span className={styles['line']}>{texts.was(before)}</span>}
          </li>
        ))}
        {count > shown.length && <li className={styles['line']}>{texts.more(count - shown.length, 'files')}</li>}
      </ul>
    </div>
  )
}
