import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { sluice } from '../../api/client.ts'
import { listKey, recordKey } from '../../api/keys.ts'
import { useList } from '../../api/queries.ts'
import { isStatus } from '../../api/query-client.ts'
import { useSeen } from '../../api/use-seen.ts'
import { ChangedNotice } from '../../components/conflict/conflict.tsx'
import { Checkbox } from '../../components/field/field.tsx'
import { FormDialog } from '../../components/form-dialog/form-dialog.tsx'
import { ErrorState, faultText, Skeleton } from '../../components/state/state.tsx'
import { useToast } from '../../components/toast/toast.tsx'
import { general } from '../../messages/general.ts'
import { templates } from '../../messages/templates.ts'
import { assetsByVersion } from './assets-by-version.ts'
import { AssignGroup } from './assign-group.tsx'
import { nodesOfTemplate } from './nodes-of-template.ts'
import styles from './templates-page.module.css'

const texts = templates.assign

/** Assets that the API assigns in one request. */
const most = 1_000

interface AssignDialogProps {
  readonly project: string
  readonly code: string
  readonly version: string
  /** Path of the version in the API. */
  readonly path: string
  readonly onClose: () => void
}

/**
 * Dialog that gives a version to assets of its template, to all chosen ones or to none, and shows the commits that they
 * get. Only what is shown is assigned: another commit of the version, or an asset that has been moved meanwhile, is
 * shown first.
 */
export function AssignDialog({ project, code, version, path, onClose }: AssignDialogProps) {
  const { records, query } = useList<'node_summary'>('/api/nodes', nodesOfTemplate(project, code))
  const groups = assetsByVersion(records, version)
  const assets = groups.flatMap(each => each.assets)
  const [chosen, setChosen] = useState<ReadonlyMap<string, string>>(new Map())
  const { seen, read, hasChanged, save } = useSeen<'template_version'>(
    path,
    (now, before) => now.commit_sha === before.commit_sha && now.state === before.state,
  )
  const cache = useQueryClient()
  const toast = useToast()
  const { mutate, isPending, error } = useMutation({
    mutationFn: () =>
      save(over => {
        const attributes = { asset_paths: [...chosen.keys()], from_versions: Object.fromEntries(chosen) }
        return sluice().send('POST', `${path}/assign_to_assets`, { data: { attributes }, ifMatch: over.etag })
      }),
    onSuccess: async isAssigned => {
      if (!isAssigned) return cache.invalidateQueries({ queryKey: recordKey(`${path}/changes`) })
      toast.done(texts.done(chosen.size, version))
      onClose()
      return cache.invalidateQueries({ queryKey: listKey('/api/nodes') })
    },
    onError: async failed => {
      if (!isStatus(failed, 404, 409)) return
      await query.refetch()
      setChosen(new Map())
    },
  })
  const isStale = isStatus(error, 404, 409)
  const choose = (paths: ReadonlyMap<string, string>, on: boolean) => {
    const next = new Map(chosen)
    for (const [asset, from] of paths) {
      if (on) next.set(asset, from)
      else next.delete(asset)
    }
    setChosen(next)
  }
  const all = new Map(assets.map(each => [each.path, each.from]))
  return (
    <FormDialog
      kind="sheet"
      title={texts.title(version)}
      description={texts.description}
      action={texts.submit(chosen.size)}
      busy={isPending || !seen}
      disabledReason={chosen.size === 0 ? texts.choose : chosen.size > most ? texts.tooMany(most) : undefined}
      error={error && !isStale ? faultText(error) : undefined}
      onSubmit={() => mutate()}
      onClose={onClose}
    >
      {hasChanged && !isStale && (
        <ChangedNotice>
          <p>{texts.otherCommit(seen?.record.attributes.commit_sha?.slice(0, 8) ?? general.none)}</p>
        </ChangedNotice>
      )}
      {isStale && (
        <ChangedNotice>
          <p>{faultText(error)}</p>
          <p>{texts.otherVersions}</p>
        </ChangedNotice>
      )}
      {query.isPending || (read.isPending && !seen) ? (
        <Skeleton rows={4} />
      ) : query.isError || read.isError ? (
        <ErrorState
          error={query.error ?? read.error}
          onRetry={() => {
            void query.refetch()
            void read.refetch()
          }}
        />
      ) : assets.length === 0 ? (
        <p className={styles['soft']}>{texts.none}</p>
      ) : (
        <div className={styles['groups']}>
          {groups.length > 1 && (
            <Checkbox
              label={<strong>{texts.all(assets.length)}</strong>}
              checked={chosen.size === assets.length}
              onChange={on => choose(all, on)}
            />
          )}
          {groups.map(group => (
            <AssignGroup
              key={group.from}
              group={group}
              template={`/projects/${project}/templates/${code}`}
              version={version}
              chosen={chosen}
              onChoose={choose}
            />
          ))}
        </div>
      )}
    </FormDialog>
  )
}
