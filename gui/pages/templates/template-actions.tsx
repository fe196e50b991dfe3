import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Archive, ArchiveRestore, Ban, CircleCheck, Ellipsis, Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { anyVersion, write } from '../../api/client.ts'
import { isPermitted } from '../../api/permitted.ts'
import { IconButton } from '../../components/button/button.tsx'
import { Menu } from '../../components/menu/menu.tsx'
import { useToast } from '../../components/toast/toast.tsx'
import { templates as texts } from '../../messages/templates.ts'
import { refreshTemplate } from './refresh-template.ts'
import { RemoveTemplate } from './remove-template.tsx'
import type { ShownTemplate } from './shown-template.ts'
import { TemplateEditDialog } from './template-edit-dialog.tsx'

/** Menu of a template: change, disable, archive, delete. */
export function TemplateActions(props: ShownTemplate) {
  const { template, path } = props
  const [open, setOpen] = useState<'edit' | 'remove'>()
  const { name, archived, disabled } = template.attributes
  const change = useStateChange(path, name)
  const reason = isPermitted(template, 'update') ? undefined : texts.needsUpdate
  const close = () => setOpen(undefined)
  return (
    <>
      <Menu
        trigger={
          <IconButton label={texts.moreActions}>
            <Ellipsis size={17} aria-hidden />
          </IconButton>
        }
        items={[
          {
            text: texts.edit,
            icon: <Pencil size={16} aria-hidden />,
            disabledReason: reason,
            onSelect: () => setOpen('edit'),
          },
          {
            text: disabled ? texts.enable : texts.disable,
            icon: disabled ? <CircleCheck size={16} aria-hidden /> : <Ban size={16} aria-hidden />,
            disabledReason: reason,
            onSelect: () => change({ disabled: !disabled }),
          },
          {
            text: archived ? texts.restoreTemplate : texts.archiveTemplate,
            icon: archived ? <ArchiveRestore size={16} aria-hidden /> : <Archive size={16} aria-hidden />,
            disabledReason: reason,
            onSelect: () => change({ archived: !archived }),
          },
          {
            text: texts.removeTemplate,
            icon: <Trash2 size={16} aria-hidden />,
            disabledReason: isPermitted(template, 'delete') ? undefined : texts.deletionNeeds,
            onSelect: () => setOpen('remove'),
          },
        ]}
      />
      {open === 'edit' && <TemplateEditDialog {...props} onClose={close} />}
      {open === 'remove' && <RemoveTemplate {...props} onClose={close} />}
    </>
  )
}

type StateChange = { readonly archived: boolean } | { readonly disabled: boolean }

function useStateChange(path: string, name: string): (change: StateChange) => void {
  const cache = useQueryClient()
  const toast = useToast()
  const { mutate } = useMutation({
    mutationFn: (attributes: StateChange) => write('PATCH', path, { attributes }, anyVersion),
    onSuccess: async (_, change) => {
      await refreshTemplate(cache, path)
      toast.done(texts.stateSaved[stateAfter(change)](name))
    },
    onError: toast.failed,
  })
  return mutate
}

const stateAfter = (change: StateChange): keyof typeof texts.stateSaved =>
  'archived' in change ? (change.archived ? 'archived' : 'restored') : change.disabled ? 'disabled' : 'enabled'
