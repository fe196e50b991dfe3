import { useMutation, useQueryClient } from '@tanstack/react-query'
import { anyVersion, write } from '../../../api/client.ts'
import { useToast } from '../../../components/toast/toast.tsx'
import { nodeDialogs as texts } from '../../../messages/projects.ts'
import type { NodeRecord } from '../node.ts'
import { ConfirmUnused } from './confirm-unused.tsx'
import { refreshNode } from './refresh-node.ts'

interface ArchiveDialogProps {
  readonly node: NodeRecord
  readonly path: string
  readonly onClose: () => void
}

/** Dialog that archives a node; a refusal names what uses it. */
export function ArchiveDialog({ node, path, onClose }: ArchiveDialogProps) {
  const { name } = node.attributes
  const cache = useQueryClient()
  const toast = useToast()
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => write('PATCH', `/api${path}`, { attributes: { archived: true } }, anyVersion),
    onSuccess: async () => {
      await refreshNode(cache, path)
      toast.done(texts.archived(name))
      onClose()
    },
  })
  return (
    <ConfirmUnused
      onClose={onClose}
      title={texts.archiveTitle(name)}
      description={texts.archiveDetail}
      action={texts.archiveAction}
      busy={isPending}
      onConfirm={() => mutate()}
      error={error}
    />
  )
}
