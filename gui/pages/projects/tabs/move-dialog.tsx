import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Refused } from '#client/sluice.ts'
import { write } from '../../../api/client.ts'
import { listKey } from '../../../api/keys.ts'
import { useSeen } from '../../../api/use-seen.ts'
import { ChangedNotice } from '../../../components/conflict/conflict.tsx'
import { Confirm } from '../../../components/dialog/dialog.tsx'
import { FormError } from '../../../components/form-dialog/form-error.tsx'
import { ErrorState, faultText, Skeleton } from '../../../components/state/state.tsx'
import { useToast } from '../../../components/toast/toast.tsx'
import { general } from '../../../messages/general.ts'
import { nodeTabs as texts } from '../../../messages/projects.ts'
import { useVersionChanges, VersionChanges } from '../../templates/version-changes.tsx'
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
 * it meanwhile, or the version has been fetched at another commit, it stays where it is and what changes now is shown.
 */
export function MoveDialog({ node, path, version, onClose }: MoveDialogProps) {
  const { seen, read, hasChanged, save } = useSeen<'asset'>(
    `/api${path}`,
    (now, before) => now.template_version === before.template_version,
  )
  const { name, template_code: code, template_version: before } = seen?.record.attributes ?? node.attributes
  const shown = { template: `${projectPathOf(path)}/templates/${code}`, since: before ?? '', version }
  const changes = useVersionChanges(shown, { enabled: seen !== undefined })
  const commit = changes.data?.data.attributes.commit_sha
  const cache = useQueryClient()
  const toast = useToast()
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => {
      const attributes = { template_version: version, ...(commit && { template_version_commit: commit }) }
      return save(over => write('PATCH', `/api${path}`, { attributes }, over))
    },
    onSuccess: async isMoved => {
      await refreshNode(cache, path)
      await cache.invalidateQueries({ queryKey: listKey(`/api${path}/version_history`) })
      if (!isMoved) return
      toast.done(texts.moved(version))
      onClose()
    },
    onError: async failed => {
      if (isAtOtherCommit(failed)) await changes.refetch()
    },
  })
  const isStale = isAtOtherCommit(error)
  return (
    <Confirm
      open
      isText
      onClose={onClose}
      title={texts.moveTitle(name, version)}
      description={texts.moveDetail(before ?? '', version)}
      action={texts.moveAction}
      busy={isPending || !seen || changes.isPending}
      onConfirm={() => mutate()}
    >
      {hasChanged && (
        <ChangedNotice>
          <p>{before === version ? texts.movedThere(version) : texts.movedMeanwhile(before ?? '')}</p>
        </ChangedNotice>
      )}
      {isStale && (
        <ChangedNotice>
          <p>{texts.otherCommit(commit?.slice(0, 8) ?? general.none)}</p>
        </ChangedNotice>
      )}
      {seen ? (
        <VersionChanges key={before} {...shown} />
      ) : read.isError ? (
        <ErrorState error={read.error} onRetry={() => void read.refetch()} />
      ) : (
        <Skeleton rows={3} />
      )}
      <FormError text={error && !isStale ? faultText(error) : undefined} />
    </Confirm>
  )
}

/** Whether the version was refused since it has another commit than the dialog has shown. */
const isAtOtherCommit = (error: unknown): boolean =>
  error instanceof Refused &&
  error.faults.some(({ source }) => source?.pointer === '/data/attributes/template_version_commit')
