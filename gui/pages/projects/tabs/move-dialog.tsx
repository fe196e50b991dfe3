import { useMutation, useQueryClient } from '@tanstack/react-query'
import { write } from '../../../api/client.ts'
import { listKey } from '../../../api/keys.ts'
import { useSeen } from '../../../api/use-seen.ts'
import { ChangedNotice } from '../../../components/conflict/conflict.tsx'
import { Confirm } from '../../../components/dialog/dialog.tsx'
import { FormError } from '../../../components/form-dialog/form-error.tsx'
import { ErrorState, faultText, Skeleton } from '../../../components/state/state.tsx'
import { useToast } from '../../../components/toast/toast.tsx'
import { nodeTabs as texts } from '../../../messages/projects.ts'
import { VersionChanges } from '../../templates/version-changes.tsx'
import { refreshNode } from '../dialogs/refresh-node.ts'
import { projectPathOf } from '../node.ts'
import type { NodeTabProps } from '../node-tab.ts'

interface MoveDialogProps extends NodeTabProps {
  /** Version that the node moves to. */
  readonly version: string
  readonly onClose: () => void
}

/**
 * Dialog that moves a node to another version of its template, with the commits in between. If somebody else has moved
 * it meanwhile, it stays where it is and the commits from there are shown.
 */
export function MoveDialog({ node, path, version, onClose }: MoveDialogProps) {
  const { seen, read, hasChanged, save } = useSeen<'asset'>(
    `/api${path}`,
    (now, before) => now.template_version === before.template_version,
  )
  const { name, template_code: code, template_version: before } = seen?.record.attributes ?? node.attributes
  const cache = useQueryClient()
  const toast = useToast()
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => save(over => write('PATCH', `/api${path}`, { attributes: { template_version: version } }, over)),
    onSuccess: async isMoved => {
      await refreshNode(cache, path)
      await cache.invalidateQueries({ queryKey: listKey(`/api${path}/version_history`) })
      if (!isMoved) return
      toast.done(texts.moved(version))
      onClose()
    },
  })
  return (
    <Confirm
      open
      onClose={onClose}
      title={texts.moveTitle(name, version)}
      description={texts.moveDetail(before ?? '', version)}
      action={texts.moveAction}
      busy={isPending || !seen}
      onConfirm={() => mutate()}
    >
      {hasChanged && (
        <ChangedNotice>
          <p>{before === version ? texts.movedThere(version) : texts.movedMeanwhile(before ?? '')}</p>
        </ChangedNotice>
      )}
      {!seen ? (
        read.isError ? (
          <ErrorState error={read.error} onRetry={() => void read.refetch()} />
        ) : (
          <Skeleton rows={3} />
        )
      ) : (
        code != null &&
        before != null && (
          <VersionChanges
            key={before}
            template={`${projectPathOf(path)}/templates/${code}`}
            since={before}
            version={version}
          />
        )
      )}
      <FormError text={error ? faultText(error) : undefined} />
    </Confirm>
  )
}
