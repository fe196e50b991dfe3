import { Link } from '@tanstack/react-router'
import { Check, CircleDashed, X } from 'lucide-react'
import { useCallback } from 'react'
import type { GitRemote, Resource, Template } from '../../api/records.ts'
import { Tag } from '../../components/chip/chip.tsx'
import { Facts } from '../../components/facts/facts.tsx'
import { Time } from '../../components/time/time.tsx'
import { remotes as texts } from '../../messages/remotes.ts'
import { safeUrl } from '../projects/safe-url.ts'
import { templatePlace } from '../templates/template-path.ts'
import { credentialNames } from './remote-form.ts'
import { RemoteMenu } from './remote-menu.tsx'
import styles from './remotes.module.css'

interface RemoteRowProps {
  readonly remote: Resource<GitRemote>
  /** Path of the list of remotes in the API. */
  readonly list: string
  /** Templates of all remotes. */
  readonly included: readonly Resource[]
  /** Whether the address points it out. */
  readonly isShown: boolean
  /** Why no remote of the project can be changed. */
  readonly whyNot: string | undefined
  readonly onEdit: () => void
}

/** One Git remote with its state, what it is made of, and its actions. */
export function RemoteRow({ remote, list, included, isShown, whyNot, onEdit }: RemoteRowProps) {
  const { name, url, user, public_url: publicUrl, archived, fetch_error: error } = remote.attributes
  const { periodic_fetch_interval: interval, created_by: creator, created_at: created } = remote.attributes
  const page = safeUrl(publicUrl)
  const stored = credentialNames.filter(each => remote.attributes[each] !== null).map(each => texts.credentials[each])
  const reveal = useCallback(
    (row: HTMLLIElement | null) => {
      if (isShown) row?.scrollIntoView({ block: 'nearest' })
    },
    [isShown],
  )
  return (
    <li className={styles['remote']} aria-current={isShown || undefined} ref={reveal}>
      <div className={styles['head']}>
        <h3>
          <Link to="." search={(before: Record<string, unknown>) => ({ ...before, remote: name })}>
            {name}
          </Link>
        </h3>
        {archived && <Tag>{texts.archived}</Tag>}
        <FetchState remote={remote.attributes} />
        <span className={styles['menu']}>
          <RemoteMenu remote={remote} list={list} whyNot={whyNot} onEdit={onEdit} />
        </span>
      </div>
      {error && !archived && <pre className={styles['problem']}>{error}</pre>}
      <Facts
        facts={[
          [texts.facts.url, <code key="url">{url}</code>],
          [
            texts.facts.page,
            page && (
              <a href={page} rel="noreferrer" target="_blank">
                {publicUrl}
              </a>
            ),
          ],
          [texts.facts.user, user],
          [texts.facts.credentials, stored.length > 0 ? stored.join(', ') : texts.noCredentials],
          [texts.facts.interval, interval !== null && texts.seconds(interval)],
          [texts.facts.templates, <TemplateLinks key="templates" templates={templatesOf(remote, included)} />],
          [
            texts.facts.created,
            <span key="created">
              {creator} · <Time at={created} />
            </span>,
          ],
        ]}
      />
    </li>
  )
}

/** How the last fetch ended. */
function FetchState({ remote: { archived, fetch_error: error, fetched_at: fetched } }: { remote: GitRemote }) {
  if (archived) return <span className={styles['soft']}>{texts.states.archived}</span>
  if (error)
    return (
      <span className={`${styles['state']} ${styles['failed']}`}>
        <X size={15} aria-hidden />
        {texts.states.failed}
        {fetched && (
          <span className={styles['soft']}>
            {texts.lastFetched} <Time at={fetched} />
          </span>
        )}
      </span>
    )
  return fetched ? (
    <span className={`${styles['state']} ${styles['fetched']}`}>
      <Check size={15} aria-hidden />
      {texts.states.fetched} <Time at={fetched} />
    </span>
  ) : (
    <span className={styles['state']}>
      <CircleDashed size={15} aria-hidden />
      {texts.states.never}
    </span>
  )
}

function templatesOf({ relationships }: Resource<GitRemote>, included: readonly Resource[]): Resource<Template>[] {
  const named = [relationships?.['templates']?.data ?? []].flat()
  return named.flatMap(({ id }) => included.filter(each => each.id === id)) as unknown as Resource<Template>[]
}

/** Links to templates; nothing if there are none. */
function TemplateLinks({ templates }: { templates: readonly Resource<Template>[] }) {
  if (templates.length === 0) return texts.noCredentials
  return (
    <span className={styles['links']}>
      {templates.map(template => (
        <Link key={template.id} to="/templates/$project/$code" params={templatePlace(template)} search={{}}>
          {template.attributes.name}
        </Link>
      ))}
    </span>
  )
}
