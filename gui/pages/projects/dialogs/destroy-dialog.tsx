import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { sluice } from '../../../api/client.ts'
import { recordKey } from '../../../api/keys.ts'
import { Confirm } from '../../../components/dialog/dialog.tsx'
import { FormError } from '../../../components/form-dialog/form-error.tsx'
import { faultText } from '../../../components/state/state.tsx'
import { useToast } from '../../../components/toast/toast.tsx'
import { nodeDialogs as texts } from '../../../messages/projects.ts'
import { type NodeRecord, parentPathOf, splatOf } from '../node.ts'
import { useTree } from '../nodes.ts'
import { refreshNode } from './refresh-node.ts'

interface DestroyDialogProps {
  readonly node: NodeRecord
  readonly path: string
  readonly onClose: () => void
}

/** Dialog that destroys a node with everything below it, after its code was typed. */
export function DestroyDialog({ node, path, onClose }: DestroyDialogProps) {
  const { name, code } = node.attributes
  const { nodes } = useTree()
  const count = nodes.records.filter(each => `${each.attributes.path}/`.startsWith(`${path}/`)).length
  const cache = useQueryClient()
  const toast = useToast()
  const navigate = useNavigate()
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => sluice().remove(`/api${path}`, { ignore_in_use: true }),
    onSuccess: async () => {
      toast.done(texts.destroyed(path))
      const parent = parentPathOf(path)
      await navigate(parent ? { to: '/projects/$', params: { _splat: splatOf(parent) } } : { to: '/projects' })
      cache.removeQueries({ queryKey: recordKey(`/api${path}`) })
      await refreshNode(cache, parent ?? path)
    },
  })
  return (
    <Confirm
      open
      onClose={onClose}
      title={texts.destroyTitle(name)}
      description={texts.destroyDetail(Math.max(1, count))}
      action={texts.destroyAction}
      danger
      busy={isPending}
      typed={code}
      typedLabel={texts.typeCode(code)}
      onConfirm={() => mutate()}
    >
      <FormError text={error ? faultText(error) : undefined} />
    </Confirm>
  )
}
