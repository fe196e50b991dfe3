import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { sluice } from '../../api/client.ts'
import { listKey } from '../../api/keys.ts'
import { useList } from '../../api/queries.ts'
import { Button } from '../../components/button/button.tsx'
import { Dialog } from '../../components/dialog/dialog.tsx'
import { Checkbox } from '../../components/field/field.tsx'
import { FormError } from '../../components/form-dialog/form-error.tsx'
import { NodePath } from '../../components/node-path/node-path.tsx'
import { ErrorState, faultText, Skeleton } from '../../components/state/state.tsx'
import { useToast } from '../../components/toast/toast.tsx'
import { general } from '../../messages/general.ts'
import { templates } from '../../messages/templates.ts'
import { nodesOfTemplate } from './template-nodes.tsx'
import styles from './templates-page.module.css'

const texts = templates.assign

interface AssignDialogProps {
  readonly project: string
  readonly code: string
  readonly version: string
  /** Path of the version in the API. */
  readonly path: string
  readonly onClose: () => void
}

/** Dialog that gives a version to assets of its template: to all chosen ones, or to none. */
export function AssignDialog({ project, code, version, path, onClose }: AssignDialogProps) {
  const { records, query } = useList<'node_summary'>('/api/nodes', nodesOfTemplate(project, code))
  const others = records.filter(({ attributes }) => attributes.template_version !== version && !attributes.archived)
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const cache = useQueryClient()
  const toast = useToast()
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => sluice().create(`${path}/assign_to_assets`, { asset_paths: [...chosen] }),
    onSuccess: () => {
      toast.done(texts.done(chosen.size, version))
      void cache.invalidateQueries({ queryKey: listKey('/api/nodes') })
      onClose()
    },
  })
  const toggle = (asset: string, on: boolean) => {
    const next = new Set(chosen)
    if (on) next.add(asset)
    else next.delete(asset)
    setChosen(next)
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={texts.title(version)}
      description={texts.description}
      footer={
        <>
          <Button onClick={onClose}>{general.cancel}</Button>
          <Button
            variant="primary"
            busy={isPending}
            disabledReason={chosen.size === 0 ? texts.choose : undefined}
            onClick={() => mutate()}
          >
            {texts.submit(chosen.size)}
          </Button>
        </>
      }
    >
      {query.isPending ? (
        <Skeleton rows={4} />
      ) : query.isError ? (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      ) : others.length === 0 ? (
        <p className={styles['soft']}>{texts.none}</p>
      ) : (
        <div className={styles['choices']}>
          <Checkbox
            label={<strong>{texts.all}</strong>}
            checked={chosen.size === others.length}
            onChange={on => setChosen(new Set(on ? others.map(({ attributes }) => attributes.path) : []))}
          />
          {others.map(({ id, attributes }) => (
            <Checkbox
              key={id}
              label={
                <>
                  <NodePath path={attributes.path} />{' '}
                  <span className={styles['soft']}>{texts.has(attributes.template_version ?? general.none)}</span>
                </>
              }
              checked={chosen.has(attributes.path)}
              onChange={on => toggle(attributes.path, on)}
            />
          ))}
        </div>
      )}
      <FormError text={error ? faultText(error) : undefined} />
    </Dialog>
  )
}
