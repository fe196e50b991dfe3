import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Archive, ArchiveRestore, ArrowLeftRight, Ellipsis, Pencil, Play, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { anyVersion, write } from '../../api/client.ts'
import { useMe } from '../../api/session.tsx'
import { Button, IconButton } from '../../components/button/button.tsx'
import { Menu, type MenuItem } from '../../components/menu/menu.tsx'
import { useToast } from '../../components/toast/toast.tsx'
import { useKeys } from '../../keyboard/shortcuts.ts'
import { comparison } from '../../messages/compare.ts'
import { nodeDialogs as dialogs, projects as texts } from '../../messages/projects.ts'
import { ArchiveDialog } from './dialogs/archive-dialog.tsx'
import { DestroyDialog } from './dialogs/destroy-dialog.tsx'
import { EditDialog } from './dialogs/edit-dialog.tsx'
import { refreshNode } from './dialogs/refresh-node.ts'
import { canHaveChanges, childTypes, collectionOf, isPermitted, type NodeRecord } from './node.ts'
import { whyNotRun } from './why-not.ts'

/** Buttons in the heading of a node: run an action, and the menu of everything else. */
export function NodeActions({ node, path }: { node: NodeRecord; path: string }) {
  const [open, setOpen] = useState<'edit' | 'archive' | 'destroy'>()
  const navigate = useNavigate({ from: '/projects/$' })
  const run = () => void navigate({ search: before => ({ ...before, run: '' }) })
  const runReason = whyNotRun(node)
  const canRun = canHaveChanges(node)
  useKeys('node', { run: canRun && runReason === undefined ? run : undefined })
  const items = useMenuItems(node, path, setOpen)
  const close = () => setOpen(undefined)
  return (
    <>
      {canRun && (
        <Button variant="primary" disabledReason={runReason} onClick={run}>
          <Play size={15} aria-hidden />
          {texts.run}
        </Button>
      )}
      <Menu
        trigger={
          <IconButton label={texts.moreActions}>
            <Ellipsis size={17} aria-hidden />
          </IconButton>
        }
        items={items}
      />
      {open === 'edit' && <EditDialog node={node} path={path} onClose={close} />}
      {open === 'archive' && <ArchiveDialog node={node} path={path} onClose={close} />}
      {open === 'destroy' && <DestroyDialog node={node} path={path} onClose={close} />}
    </>
  )
}

function useMenuItems(
  node: NodeRecord,
  path: string,
  open: (dialog: 'edit' | 'archive' | 'destroy') => void,
): MenuItem[] {
  const navigate = useNavigate({ from: '/projects/$' })
  const goTo = useNavigate()
  const isSuperuser = useMe().meta?.['superuser'] === true
  const restore = useRestore(node, path)
  const { archived } = node.attributes
  const update = isPermitted(node, 'self', 'update') ? undefined : dialogs.needsUpdate
  const whileActive = archived ? dialogs.isArchived : update
  const create = childTypes(node).map((type): MenuItem => {
    const isAllowed = isPermitted(node, collectionOf[type], 'update')
    return {
      text: dialogs.createItem[type],
      icon: <Plus size={16} aria-hidden />,
      disabledReason: archived ? dialogs.isArchived : isAllowed ? undefined : dialogs.needsUpdateOf(collectionOf[type]),
      onSelect: () => void navigate({ search: before => ({ ...before, create: type }) }),
    }
  })
  return [
    ...create,
    {
      text: dialogs.edit,
      icon: <Pencil size={16} aria-hidden />,
      disabledReason: whileActive,
      onSelect: () => open('edit'),
    },
    {
      text: comparison.compareWith,
      icon: <ArrowLeftRight size={16} aria-hidden />,
      onSelect: () => void goTo({ to: '/compare', search: { a: path } }),
    },
    archived
      ? {
          text: dialogs.restore,
          icon: <ArchiveRestore size={16} aria-hidden />,
          disabledReason: update,
          onSelect: restore,
        }
      : {
          text: dialogs.archive,
          icon: <Archive size={16} aria-hidden />,
          disabledReason: update,
          onSelect: () => open('archive'),
        },
    {
      text: dialogs.destroy,
      icon: <Trash2 size={16} aria-hidden />,
      disabledReason: isSuperuser ? undefined : dialogs.needsSuperuser,
      onSelect: () => open('destroy'),
    },
  ]
}

function useRestore(node: NodeRecord, path: string): () => void {
  const cache = useQueryClient()
  const toast = useToast()
  const { mutate } = useMutation({
    mutationFn: () => write('PATCH', `/api${path}`, { attributes: { archived: false } }, anyVersion),
    onSuccess: () => {
      toast.done(dialogs.restored(node.attributes.name))
      return refreshNode(cache, path)
    },
    onError: toast.failed,
  })
  return () => mutate()
}
