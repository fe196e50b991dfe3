import { useQueryClient } from '@tanstack/react-query'
import { useEdit } from '../../../api/use-edit.ts'
import { NameDialog, type Naming, namingOf } from '../../../components/name-dialog/name-dialog.tsx'
import { useToast } from '../../../components/toast/toast.tsx'
import { nodeDialogs as texts } from '../../../messages/projects.ts'
import type { NodeRecord } from '../node.ts'
import { refreshNode } from './refresh-node.ts'

interface EditDialogProps {
  readonly node: NodeRecord
  readonly path: string
  readonly onClose: () => void
}

/** Dialog that changes name and description of a node. */
export function EditDialog({ node, path, onClose }: EditDialogProps) {
  const cache = useQueryClient()
  const toast = useToast()
  const edit = useEdit<'asset', Naming>({
    path: `/api${path}`,
    initial: namingOf(node.attributes),
    valuesOf: namingOf,
    attributesOf: attributes => attributes,
    onSaved: async () => {
      await refreshNode(cache, path)
      toast.done(texts.saved)
      onClose()
    },
  })
  return (
    <NameDialog
      title={texts.editTitle(node.attributes.name)}
      labels={{ name: texts.name, description: texts.description }}
      edit={edit}
      isRequired
      onClose={onClose}
    />
  )
}
