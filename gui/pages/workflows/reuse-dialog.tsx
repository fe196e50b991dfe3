import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { listKey, recordKey } from '../../api/keys.ts'
import { useRecord } from '../../api/queries.ts'
import { isStatus } from '../../api/query-client.ts'
import { ChangedNotice } from '../../components/conflict/conflict.tsx'
import { Confirm } from '../../components/dialog/dialog.tsx'
import { FormError } from '../../components/form-dialog/form-error.tsx'
import { ErrorState, faultText } from '../../components/state/state.tsx'
import { useToast } from '../../components/toast/toast.tsx'
import { workflowVersions as texts } from '../../messages/workflows.ts'
import { readSource, type Source, writeSource } from './source.ts'

interface ReuseDialogProps {
  /** Path of the workflow in the API. */
  readonly path: string
  /** Version whose text is used. */
  readonly version: number
  readonly onClose: () => void
}

/**
 * Dialog that puts the text of an old version into the draft, or into a new one. What it replaces is what it says: a
 * version that somebody else has saved meanwhile is named first.
 */
export function ReuseDialog({ path, version, onClose }: ReuseDialogProps) {
  const old = useRecord<'workflow_version'>(`${path}/versions/${version}`)
  const newest = useQuery({
    queryKey: ['workflow-to-replace', path],
    queryFn: () => readSource(path),
    // What a save replaces is what the dialog said.
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const cache = useQueryClient()
  const toast = useToast()
  const navigate = useNavigate({ from: '/workflows/$project/$code' })
  const text = old.data?.attributes.source_yaml
  const base = newest.data
  const reuse = useMutation({
    mutationFn: (given: { base: Source; text: string }) => writeSource(path, given.base, given.text),
    onSuccess: async () => {
      for (const key of [recordKey(path), listKey(`${path}/versions`)]) void cache.invalidateQueries({ queryKey: key })
      toast.done(texts.reused(version))
      await navigate({ search: {} })
    },
    onError: async error => {
      if (isStatus(error, 409, 412)) await newest.refetch()
    },
  })
  const failed = old.error ?? newest.error
  const hasChanged = isStatus(reuse.error, 409, 412)
  const { draft, version: number } = base?.version.attributes ?? { draft: false, version: 0 }
  return (
    <Confirm
      open
      onClose={onClose}
      title={texts.reuseTitle(version)}
      description={base && (draft ? texts.reuseReplaces(number) : texts.reuseNew)}
      action={texts.reuseAction}
      danger={draft}
      busy={reuse.isPending || text === undefined || base === undefined}
      onConfirm={() => text !== undefined && base && reuse.mutate({ base, text })}
    >
      {failed && <ErrorState error={failed} onRetry={() => void (old.isError ? old : newest).refetch()} />}
      {hasChanged && (
        <ChangedNotice>
          <p>{texts.reuseMeanwhile(number)}</p>
        </ChangedNotice>
      )}
      <FormError text={reuse.error && !hasChanged ? faultText(reuse.error) : undefined} />
    </Confirm>
  )
}
