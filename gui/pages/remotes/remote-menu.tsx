import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Archive, ArchiveRestore, Ellipsis, Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { anyVersion, sluice, write } from '../../api/client.ts'
import { listKey } from '../../api/keys.ts'
import { isPermitted } from '../../api/permitted.ts'
import type { GitRemote, Resource } from '../../api/records.ts'
import { IconButton } from '../../components/button/button.tsx'
import { Menu } from '../../components/menu/menu.tsx'
import { useToast } from '../../components/toast/toast.tsx'
import { remotes as texts } from '../../messages/remotes.ts'
import { ConfirmUnused } from '../projects/dialogs/confirm-unused.tsx'

interface RemoteMenuProps {
  readonly remote: Resource<GitRemote>
  /** Path of the list of remotes in the API. */
  readonly list: string
  /** Why no remote of the project can be changed. */
  readonly whyNot: string | undefined
  readonly onEdit: () => void
}

/** Menu of a Git remote: change, archive, delete. */
export function RemoteMenu({ remote, list, whyNot, onEdit }: RemoteMenuProps) {
  const [isRemoving, setIsRemoving] = useState(false)
  const { name, archived } = remote.attributes
  const archive = useArchive(remote, list)
  const update = whyNot ?? (isPermitted(remote, 'update') ? undefined : texts.needsUpdate)
  return (
    <>
      <Menu
        trigger={
          <IconButton label={texts.menuOf(name)} variant="quiet">
            <Ellipsis size={16} aria-hidden />
          </IconButton>
        }
        items={[
          { text: texts.edit, icon: <Pencil size={15} aria-hidden />, disabledReason: update, onSelect: onEdit },
          archived
            ? {
                text: texts.restore,
                icon: <ArchiveRestore size={15} aria-hidden />,
                disabledReason: update,
                onSelect: () => archive(false),
              }
            : {
                text: texts.archive,
                icon: <Archive size={15} aria-hidden />,
                disabledReason: update,
                onSelect: () => archive(true),
              },
          {
            text: texts.remove,
            icon: <Trash2 size={15} aria-hidden />,
            disabledReason: isPermitted(remote, 'delete') ? undefined : texts.needsDelete,
            onSelect: () => setIsRemoving(true),
          },
        ]}
      />
      {isRemoving && <RemoveRemote remote={remote} list={list} onClose={() => setIsRemoving(false)} />}
    </>
  )
}

function useArchive({ id, attributes: { name } }: Resource<GitRemote>, list: string): (archived: boolean) => void {
  const cache = useQueryClient()
  const toast = useToast()
  const { mutate } = useMutation({
    mutationFn: (archived: boolean) => write('PATCH', `${list}/${id}`, { attributes: { archived } }, anyVersion),
    onSuccess: (_, archived) => {
      toast.done(archived ? texts.archivedDone(name) : texts.restoredDone(name))
      return cache.invalidateQueries({ queryKey: listKey(list) })
    },
    onError: toast.failed,
  })
  return mutate
}

interface RemoveRemoteProps {
  readonly remote: Resource<GitRemote>
  readonly list: string
  readonly onClose: () => void
}

/** Dialog that deletes a Git remote; a refusal names what uses it. */
function RemoveRemote({ remote: { id, attributes }, list, onClose }: RemoveRemoteProps) {
  const cache = useQueryClient()
  const toast = useToast()
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => sluice().remove(`${list}/${id}`),
    onSuccess: async () => {
      toast.done(texts.removed(attributes.name))
      await cache.invalidateQueries({ queryKey: listKey(list) })
      onClose()
    },
  })
  return (
    <ConfirmUnused
      danger
      title={texts.removeTitle(attributes.name)}
      description={texts.removeDetail}
      action={texts.removeAction}
      busy={isPending}
      onClose={onClose}
      onConfirm={() => mutate()}
      error={error}
    />
  )
}
