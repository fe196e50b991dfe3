import { useMutation, useQuery } from '@tanstack/react-query'
import { sluice } from '../../../api/client.ts'
import type { Resource } from '../../../api/records.ts'
import { useMe } from '../../../api/session.tsx'
import { useVersioned } from '../../../api/versioned.ts'
import { Button } from '../../../components/button/button.tsx'
import { Dialog } from '../../../components/dialog/dialog.tsx'
import { FormError } from '../../../components/form-dialog/form-error.tsx'
import { ErrorState, faultText } from '../../../components/state/state.tsx'
import { Time } from '../../../components/time/time.tsx'
import { useToast } from '../../../components/toast/toast.tsx'
import { cleaning as texts } from '../../../messages/cleaning.ts'
import { general } from '../../../messages/general.ts'
import { mayUpdate } from '../../../shell/rights.ts'
import styles from './cleaning.module.css'
import { countText, hasFilters, nodesText, type Rule, rulesPath, rulesRight, ruleText } from './rule.ts'
import { useChangeRule } from './use-change-rule.ts'

interface Preview {
  readonly ended_before: string
  readonly removable_count: number
  readonly complete: boolean
}

/** Dialog with what a rule would delete now; from here a disabled rule is enabled. */
export function PreviewDialog({ rule, onClose }: { rule: Rule; onClose: () => void }) {
  const { name, enabled } = rule.attributes
  const toast = useToast()
  const change = useChangeRule(rule)
  // What is enabled is the rule whose preview is shown, not one that was changed meanwhile.
  const shown = useVersioned<'data_cleanup_definition'>(`${rulesPath}/${rule.id}`)
  const isPermitted = mayUpdate(useMe(), rulesRight)
  const preview = useQuery({
    queryKey: ['cleanup preview', rule.id, rule.attributes.updated_at],
    queryFn: async () =>
      (await sluice().send('POST', `${rulesPath}/${rule.id}/preview`))?.data as unknown as Resource<Preview>,
    staleTime: 0,
    gcTime: 0,
  })
  const { mutate, isPending, error } = useMutation({
    mutationFn: async () =>
      change({ enabled: true }, shown.data ?? (await shown.refetch({ throwOnError: true })).data!),
    onSuccess: () => {
      toast.done(texts.enabledDone(name))
      onClose()
    },
  })
  return (
    <Dialog
      open
      onClose={onClose}
      title={texts.previewTitle(name)}
      description={texts.previewDetail}
      footer={
        <>
          <Button onClick={onClose}>{enabled || !isPermitted ? general.close : general.cancel}</Button>
          {!enabled && isPermitted && (
            <Button
              variant="primary"
              busy={isPending}
              disabledReason={preview.isSuccess ? undefined : texts.counting}
              onClick={() => mutate()}
            >
              {texts.enableAction}
            </Button>
          )}
        </>
      }
    >
      {preview.isPending ? (
        <p role="status">{texts.counting}</p>
      ) : preview.isError ? (
        <ErrorState error={preview.error} onRetry={() => void preview.refetch()} />
      ) : (
        <Result rule={rule} preview={preview.data.attributes} />
      )}
      {!enabled && preview.isSuccess && <p className={styles['soft']}>{texts.willRun}</p>}
      <FormError text={error ? faultText(error) : undefined} />
    </Dialog>
  )
}

function Result({ rule: { attributes }, preview }: { rule: Rule; preview: Preview }) {
  const { kind, node_paths, filters } = attributes
  const count = preview.removable_count
  return (
    <>
      <p className={styles['count']} role="status">
        {count === 0
          ? texts.wouldDeleteNothing(texts.kinds[kind])
          : texts.wouldDelete(countText(count), texts.kinds[kind])}
        {!preview.complete && <span className={styles['warning']}> {texts.atLeast}</span>}
      </p>
      <p className={styles['soft']}>{ruleText(attributes)}</p>
      <dl className={styles['details']}>
        <dt>{texts.endedBefore[kind]}</dt>
        <dd>
          <Time at={preview.ended_before} absolute />
        </dd>
        <dt>{texts.nodes}</dt>
        <dd>{nodesText(node_paths)}</dd>
        <dt>{texts.filters}</dt>
        <dd>{hasFilters(attributes) ? <code>{JSON.stringify(filters)}</code> : texts.noFilters}</dd>
      </dl>
    </>
  )
}
