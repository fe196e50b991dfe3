import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Archive, Ellipsis, Pencil, RotateCcw, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { anyVersion, sluice, write } from '../../api/client.ts'
import { listKey, recordKey } from '../../api/keys.ts'
import { isPermitted } from '../../api/permitted.ts'
import type { Resource, Workflow } from '../../api/records.ts'
import { useEdit } from '../../api/use-edit.ts'
import { IconButton } from '../../components/button/button.tsx'
import { Confirm } from '../../components/dialog/dialog.tsx'
import { Menu, type MenuItem } from '../../components/menu/menu.tsx'
import { NameDialog, type Naming, namingOf } from '../../components/name-dialog/name-dialog.tsx'
import { useToast } from '../../components/toast/toast.tsx'
import { workflows as texts } from '../../messages/workflows.ts'

interface WorkflowMenuProps {
  /** Path of the workflow in the API. */
  readonly path: string
  readonly workflow: Resource<Workflow>
}

/** Menu of what is done seldom: rename, archive or restore, delete. What the user may not do says why. */
export function WorkflowMenu({ path, workflow }: WorkflowMenuProps) {
  const [open, setOpen] = useState<'rename' | 'archive' | 'remove'>()
  const close = () => setOpen(undefined)
  const cache = useQueryClient()
  const toast = useToast()
  const navigate = useNavigate()
  const { name, archived } = workflow.attributes
  const refresh = () => {
    void cache.invalidateQueries({ queryKey: recordKey(path) })
    void cache.invalidateQueries({ queryKey: listKey('/api/workflows') })
  }

  const archive = useMutation({
    mutationFn: (isArchived: boolean) => write('PATCH', path, { attributes: { archived: isArchived } }, anyVersion),
    onSuccess: (_, isArchived) => {
      refresh()
      toast.done(isArchived ? texts.archivedDone(name) : texts.restored(name))
      close()
    },
    onError: error => toast.failed(error),
  })
  const remove = useMutation({
    mutationFn: () => sluice().remove(path),
    onSuccess: async () => {
      toast.done(texts.removed(name))
      await navigate({ to: '/workflows' })
      refresh()
    },
    onError: error => toast.failed(error),
  })

  const right = path.replace(/^\/api/, '')
  const whyNotUpdate = isPermitted(workflow, 'update') ? undefined : texts.needsUpdate(right)
  const items: MenuItem[] = [
    {
      text: texts.rename,
      icon: <Pencil size={16} aria-hidden />,
      disabledReason: archived ? texts.isArchived : whyNotUpdate,
      onSelect: () => setOpen('rename'),
    },
    archived
      ? {
          text: texts.restore,
          icon: <RotateCcw size={16} aria-hidden />,
          disabledReason: whyNotUpdate,
          onSelect: () => archive.mutate(false),
        }
      : {
          text: texts.archive,
          icon: <Archive size={16} aria-hidden />,
          disabledReason: whyNotUpdate,
          onSelect: () => setOpen('archive'),
        },
    {
      text: texts.remove,
      icon: <Trash2 size={16} aria-hidden />,
      disabledReason: isPermitted(workflow, 'delete') ? undefined : texts.needsDelete(right),
      onSelect: () => setOpen('remove'),
    },
  ]
  return (
    <>
      <Menu
        trigger={
          <IconButton label={texts.moreActions}>
            <Ellipsis size={18} aria-hidden />
          </IconButton>
        }
        items={items}
      />
      {open === 'rename' && <Rename path={path} workflow={workflow} onClose={close} onDone={refresh} />}
      <Confirm
        open={open === 'archive'}
        onClose={close}
        title={texts.archiveTitle(name)}
        description={texts.archiveDetail}
        action={texts.archiveAction}
        busy={archive.isPending}
        onConfirm={() => archive.mutate(true)}
      />
      <Confirm
        open={open === 'remove'}
        onClose={close}
        title={texts.removeTitle(name)}
        description={texts.removeDetail}
        action={texts.removeAction}
        danger
        busy={remove.isPending}
        onConfirm={() => remove.mutate()}
      />
    </>
  )
}

type RenameProps = WorkflowMenuProps & { readonly onClose: () => void; readonly onDone: () => void }

function Rename({ path, workflow, onClose, onDone }: RenameProps) {
  const toast = useToast()
  const edit = useEdit<'workflow', Naming>({
    path,
    initial: namingOf(workflow.attributes),
    valuesOf: namingOf,
    attributesOf: ({ name, description }) => ({ name, description: description === '' ? null : description }),
    onSaved: () => {
      toast.done(texts.saved)
      onDone()
      onClose()
    },
  })
  return (
    <NameDialog
      title={texts.renameTitle}
      labels={{ name: texts.name, description: texts.descriptionLabel }}
      edit={edit}
      onClose={onClose}
    />
  )
}
