import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Archive, ArchiveRestore, Ban, Ellipsis, RefreshCw, Send, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { anyVersion, sluice, write } from '../../api/client.ts'
import { listKey, recordKey } from '../../api/keys.ts'
import type { Resource, Template, TemplateVersion } from '../../api/records.ts'
import { IconButton } from '../../components/button/button.tsx'
import { Confirm } from '../../components/dialog/dialog.tsx'
import { Menu, type MenuItem } from '../../components/menu/menu.tsx'
import { useToast } from '../../components/toast/toast.tsx'
import { templates as texts } from '../../messages/templates.ts'
import { Blockers, isInUse } from '../projects/dialogs/blockers.tsx'
import { AssignDialog } from './assign-dialog.tsx'

export interface VersionMenuProps {
  readonly version: Resource<TemplateVersion>
  readonly template: Resource<Template>
  /** Path of the template in the API. */
  readonly path: string
  readonly project: string
  /** Why the template cannot be changed. */
  readonly whyNot: string | undefined
  /** Called once the version is deleted. */
  readonly onRemoved?: () => void
}

/** What can be done with a version: fetch it, cancel that, assign it, archive it, delete it. */
export function VersionMenu({ version: record, template, path, project, whyNot, onRemoved }: VersionMenuProps) {
  const [dialog, setDialog] = useState<'assign' | 'remove'>()
  /** Refusal of a fetch that would move what uses the version. */
  const [inUse, setInUse] = useState<unknown>()
  const { attributes } = record
  const { version, state, git_rev: rev, archived } = attributes
  const self = `${path}/versions/${encodeURIComponent(version)}`
  const { put, fetch, post, remove } = useVersionCommands(self, path, version, setInUse)

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

  return (
    <>
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
          onConfirm={() =>
            remove.mutate(undefined, { onSuccess: () => onRemoved?.(), onSettled: () => setDialog(undefined) })
          }
        />
      )}
    </>
  )
}

/** @param onInUse called with the refusal of a fetch because nodes use the version, and would follow it */
function useVersionCommands(self: string, path: string, version: string, onInUse: (error: unknown) => void) {
  const cache = useQueryClient()
  const toast = useToast()
  const refresh = () =>
    Promise.all([
      cache.invalidateQueries({ queryKey: listKey(`${path}/versions`) }),
      cache.invalidateQueries({ queryKey: recordKey(self) }),
    ])
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
      return cache.invalidateQueries({ queryKey: listKey(`${path}/versions`) })
    },
    onError: toast.failed,
  })
  return { put, fetch, post, remove }
}
