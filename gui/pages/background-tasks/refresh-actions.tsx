import { useMutation, useQueryClient } from '@tanstack/react-query'
import { RefreshCw } from 'lucide-react'
import { sluice } from '../../api/client.ts'
import { listKey } from '../../api/keys.ts'
import { Button } from '../../components/button/button.tsx'
import { useToast } from '../../components/toast/toast.tsx'
import { backgroundTasks as texts } from '../../messages/background-tasks.ts'
import { nodeDialogs } from '../../messages/projects.ts'
import { isPermitted } from '../projects/node.ts'
import type { NodeTabProps } from '../projects/node-tab.ts'
import { tasksPath } from './use-tasks.ts'

/** Button that has the actions of an asset read again, by a background task. */
export function RefreshActions({ node, path, isOpen }: NodeTabProps & { readonly isOpen: boolean }) {
  const cache = useQueryClient()
  const toast = useToast()
  const { mutate, isPending } = useMutation({
    mutationFn: () => sluice().create(tasksPath(path)),
    onSuccess: () => {
      toast.done(texts.refreshing)
      return cache.invalidateQueries({ queryKey: listKey(tasksPath(path)) })
    },
    onError: toast.failed,
  })
  const whyNot = node.attributes.archived
    ? nodeDialogs.isArchived
    : !isPermitted(node, 'self', 'execute')
      ? texts.needsExecute
      : isOpen
        ? texts.inProgress
        : undefined
  return (
    <Button size="small" disabledReason={whyNot} busy={isPending} onClick={() => mutate()}>
      <RefreshCw size={14} aria-hidden />
      {texts.refresh}
    </Button>
  )
}
