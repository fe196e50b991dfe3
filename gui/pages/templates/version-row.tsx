import { Link } from '@tanstack/react-router'
import { Time } from '../../components/time/time.tsx'
import styles from './templates-page.module.css'
import { VersionMenu, type VersionMenuProps } from './version-menu.tsx'
import { VersionProblem, VersionState, VersionTags } from './version-state.tsx'

/** One version with its state, its revision and what can be done with it. */
export function VersionRow(props: Omit<VersionMenuProps, 'onRemoved'>) {
  const { version: record, template, project } = props
  const { version, git_rev: rev, commit_sha: commit, created_by: author, updated_at: updated } = record.attributes
  return (
    <li className={styles['version']}>
      <span className={styles['name']}>
        <Link
          to="/templates/$project/$code/$version"
          params={{ project, code: template.attributes.code, version }}
          className={styles['link']}
        >
          {version}
        </Link>
        <VersionTags version={record.attributes} />
      </span>
      <VersionState state={record.attributes.state} />
      <span>
        {rev} {commit && <code className={styles['soft']}>{commit.slice(0, 8)}</code>}
      </span>
      <span className={styles['soft']}>
        {author} · <Time at={updated} />
      </span>
      <VersionMenu {...props} />
      <VersionProblem version={record.attributes} project={project} />
    </li>
  )
}
