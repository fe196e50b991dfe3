import { Link } from '@tanstack/react-router'
import { Check, LoaderCircle, X } from 'lucide-react'
import type { TemplateVersion } from '../../api/records.ts'
import { Tag } from '../../components/chip/chip.tsx'
import { templates as texts } from '../../messages/templates.ts'
import styles from './templates-page.module.css'

const icons = { ready: Check, broken: X, initializing: LoaderCircle }

/** Whether a version is being fetched, ready or broken. */
export function VersionState({ state }: Pick<TemplateVersion, 'state'>) {
  const Icon = icons[state]
  return (
    <span className={`${styles['state']} ${styles[state]}`}>
      <Icon size={15} aria-hidden />
      {texts.states[state]}
    </span>
  )
}

/** How a version follows its revision, and whether it is archived. */
export function VersionTags({ version }: { version: TemplateVersion }) {
  return (
    <>
      {version.locked && <Tag>{texts.locked}</Tag>}
      {version.float_git_rev && <Tag>{texts.floats}</Tag>}
      {version.archived && <Tag>{texts.archived}</Tag>}
    </>
  )
}

/** Why a version is broken or could not be moved, with the Git remote that it was fetched from. */
export function VersionProblem({ version, project }: { version: TemplateVersion; project: string }) {
  const problem = version.initialization_error ?? version.float_refresh_error
  if (!problem) return null
  const { git_remote_name: remote } = version
  return (
    <div className={styles['problem']}>
      <pre>{problem}</pre>
      <span>
        {texts.fetchedFrom}{' '}
        <Link to="/projects/$" params={{ _splat: project }} search={{ tab: 'remotes', remote }}>
          {remote}
        </Link>
      </span>
    </div>
  )
}
