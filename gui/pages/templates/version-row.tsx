import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Archive, ArchiveRestore, Ban, Check, Ellipsis, LoaderCircle, RefreshCw, Send, Trash2, X } from 'lucide-react'
import { useState } from 'react'
import { anyVersion, sluice, write } from '../../api/client.ts'
import { listKey } from '../../api/keys.ts'
import type { Resource, Template, TemplateVersion } from '../../api/records.ts'
import { IconButton } from '../../components/button/button.tsx'
import { Tag } from '../../components/chip/chip.tsx'
import { Confirm } from '../../components/dialog/dialog.tsx'
import { Menu, type MenuItem } from '../../components/menu/menu.tsx'
import { Time } from '../../components/time/time.tsx'
import { useToast } from '../../components/toast/toast.tsx'
import { templates as texts } from '../../messages/templates.ts'
import { Blockers, isInUse } from '../projects/dialogs/blockers.tsx'
import { AssignDialog } from './assign-dialog.tsx'
import styles from './templates-page.module.css'

const icons = { ready: Check, broken: X, initializing: LoaderCircle }

interface VersionRowProps {
  readonly version: Resource<TemplateVersion>
  readonly template: Resource<Template>
  /** Path of the template in the API. */
  readonly path: string
  readonly project: string
  /** Why the template cannot be changed. */
  readonly whyNot: string | undefined
}

/** One version with its state, its revision and what can be done with it. */
export function VersionRow({ version: record, template, path, project, whyNot }: VersionRowProps) {
  const [dialog, setDialog] = useState<'assign' | 'remove'>()
  /** Refusal of a fetch that would move what uses the version. */
  const [inUse, setInUse] = useState<unknown>()
  const { attributes } = record
  const { version, state, git_rev: rev, commit_sha: commit, archived } = attributes
  const self = `${path}/versions/${encodeURIComponent(version)}`
  const { put, fetch, post, remove } = useVersionCommands(self, path, version, setInUse)
  const Icon = icons[state]

  const items: MenuItem[] = [
    ...(state === 'initializing'
      ? [
          {
            text: texts.cancelFetch,
            icon: <Ban size={15} aria-hidden />,
            onSelect: () => post.mutate('cancel_refresh'),
          },
        ]
      : [
          {
            text: texts.fetch,
            icon: <RefreshCw size={15} aria-hidden />,
            onSelect: () => fetch.mutate({ movesUsers: false }),
          },
        ]),
    ...(state === 'ready' && template.attributes.template_type === 'asset' && !archived
      ? [{ text: texts.promote, icon: <Send size={15} aria-hidden />, onSelect: () => setDialog('assign') }]
      : []),
    archived
      ? {
          text: texts.restore,
          icon: <ArchiveRestore size={15} aria-hidden />,
          onSelect: () => put.mutate({ archived: false }),
        }
      : {
          text: texts.archive,
          icon: <Archive size={15} aria-hidden />,
          onSelect: () => put.mutate({ archived: true }),
        },
    { text: texts.remove, icon: <Trash2 size={15} aria-hidden />, onSelect: () => setDialog('remove') },
  ]
  const problem = attributes.initialization_error ?? attributes.float_refresh_error
  return (
    <li className={styles['version']}>
      <span className={styles['name']}>
        <strong>{version}</strong>
        {attributes.locked && <Tag>{texts.locked}</Tag>}
        {attributes.float_git_rev && <Tag>{texts.floats}</Tag>}
        {archived && <Tag>{texts.archived}</Tag>}
      </span>
      <span className={`${styles['state']} ${styles[state]}`}>
        <Icon size={15} aria-hidden />
        {texts.states[state]}
      </span>
      <span>
        {rev} {commit && <code className={styles['soft']}>{commit.slice(0, 8)}</code>}
      </span>
      <span className={styles['soft']}>
        {attributes.created_by} · <Time at={attributes.updated_at} />
      </span>
      {whyNot === undefined ? (
        <Menu
          trigger={
            <IconButton label={texts.menuOf(version)} variant="quiet">
              <Ellipsis size={16} aria-hidden />
            </IconButton>
          }
          items={items}
        />
      ) : (
        <IconButton label={texts.menuOf(version)} variant="quiet" disabledReason={whyNot}>
          <Ellipsis size={16} aria-hidden />
        </IconButton>
      )}
      {problem && (
        <div className={styles['problem']}>
          <pre>{problem}</pre>
          <span>
            {texts.fetchedFrom}{' '}
            <Link
              to="/projects/$"
              params={{ _splat: project }}
              search={{ tab: 'remotes', remote: attributes.git_remote_name }}
            >
              {attributes.git_remote_name}
            </Link>
          </span>
        </div>
      )}
      {dialog === 'assign' && (
        <AssignDialog
          project={project}
          code={template.attributes.code}
          version={version}
          path={self}
          onClose={() => setDialog(undefined)}
        />
      )}
      {inUse !== undefined && (
        <Confirm
          open
          title={texts.fetchDialog.title(version)}
          description={texts.fetchDialog.description(rev)}
          action={texts.fetchDialog.submit}
          busy={fetch.isPending}
          onClose={() => setInUse(undefined)}
          onConfirm={() => fetch.mutate({ movesUsers: true }, { onSettled: () => setInUse(undefined) })}
        >
          <Blockers error={inUse} onFollow={() => setInUse(undefined)} />
        </Confirm>
      )}
      {dialog === 'remove' && (
        <Confirm
          open
          danger
          title={texts.removeTitle(version)}
          description={texts.removeDetail}
          action={texts.remove.replace('…', '')}
          busy={remove.isPending}
          onClose={() => setDialog(undefined)}
          onConfirm={() => remove.mutate(undefined, { onSettled: () => setDialog(undefined) })}
        />
      )}
    </li>
  )
}

/** @param onInUse called with the refusal of a fetch because nodes use the version, and would follow it */
function useVersionCommands(self: string, path: string, version: string, onInUse: (error: unknown) => void) {
  const cache = useQueryClient()
  const toast = useToast()
  const refresh = () => cache.invalidateQueries({ queryKey: listKey(`${path}/versions`) })
  const put = useMutation({
    mutationFn: (attributes: { readonly archived: boolean }) => write('PUT', self, { attributes }, anyVersion),
    onSuccess: () => {
      toast.done(texts.saved(version))
      return refresh()
    },
    onError: toast.failed,
  })
  const fetch = useMutation({
    mutationFn: ({ movesUsers }: { movesUsers: boolean }) => {
      const meta = { fetch_revision: true, ...(movesUsers && { ignore_in_use: true }) }
      return write('PUT', self, { attributes: {}, meta }, anyVersion)
    },
    onSuccess: () => {
      toast.done(texts.fetched(version))
      return refresh()
    },
    onError: error => (isInUse(error) ? onInUse(error) : toast.failed(error)),
  })
  const post = useMutation({
    mutationFn: (command: 'cancel_refresh') => sluice().create(`${self}/${command}`),
    onSuccess: refresh,
    onError: toast.failed,
  })
  const remove = useMutation({
    mutationFn: () => sluice().remove(self),
    onSuccess: () => {
      toast.done(texts.removed(version))
      return refresh()
    },
    onError: toast.failed,
  })
  return { put, fetch, post, remove }
}
