import { useMutation, useQueryClient } from '@tanstack/react-query'
import { RefreshCw } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { sluice } from '../../../api/client.ts'
import { listKey, recordKey } from '../../../api/keys.ts'
import { useList, useRecord } from '../../../api/queries.ts'
import type { Model, Resource } from '../../../api/records.ts'
import { Button } from '../../../components/button/button.tsx'
import { Panel } from '../../../components/page/page.tsx'
import { ListStates } from '../../../components/state/query-states.tsx'
import { EmptyState } from '../../../components/state/state.tsx'
import { StatusBadge } from '../../../components/status/status.tsx'
import { Time } from '../../../components/time/time.tsx'
import { useToast } from '../../../components/toast/toast.tsx'
import { nodeTabs as texts } from '../../../messages/projects.ts'
import type { NodeTabProps } from '../node-tab.ts'
import { whyNotChange } from '../why-not.ts'
import styles from './tabs.module.css'

/** Milliseconds between polls while a model is generated: no live stream reports background tasks. */
const every = 1_500

/** Model of an asset: its state, what was rendered, and a button that renders it again. */
export default function ModelTab({ node, path }: NodeTabProps) {
  const { model_valid: isValid, model_invalid_reason: reason, task_active: isActive } = node.attributes
  // Requested here, and not seen to be over yet: it may be over before the node is read again.
  const [requested, setRequested] = useState<string>()
  const isInProgress = isActive === true || requested !== undefined
  const tasks = useList<'node_background_task'>(
    `/api${path}/node_background_tasks`,
    { limit: 1, 'filter[task_type_eq]': 'GenerateModelTask', 'filter[sorts]': 'request_number desc' },
    isInProgress ? { every } : {},
  )
  const [task] = tasks.records
  const isOver = requested !== undefined && task?.id === requested && isEnded(task.attributes.status_code)
  if (isOver) setRequested(undefined)
  // Nothing reports the end of a task: the node, which the page shows, is read until it is over.
  useRecord<'asset'>(`/api${path}`, undefined, isInProgress ? { every } : { enabled: false })
  const cache = useQueryClient()
  const wasInProgress = useRef(isInProgress)
  useEffect(() => {
    if (wasInProgress.current && !isInProgress)
      for (const queryKey of [
        recordKey(`/api${path}`),
        listKey(`/api${path}/node_background_tasks`),
        listKey(`/api${path}/models`),
      ])
        void cache.invalidateQueries({ queryKey })
    wasInProgress.current = isInProgress
  }, [isInProgress, cache, path])
  if (!isValid && !reason) return <EmptyState title={texts.noModel}>{texts.noModelDetail}</EmptyState>
  return (
    <div className={styles['stack']}>
      <Panel title={texts.model} actions={<GenerateButton node={node} path={path} onRequested={setRequested} />}>
        <div className={styles['stack']}>
          <p>{isValid ? texts.modelValid : (texts.modelReasons[reason ?? ''] ?? reason)}</p>
          {task && (
            <p className={styles['line']}>
              <StatusBadge status={task.attributes.status_code} />
              <span>
                <Time at={task.attributes.created_at} /> {texts.by} {task.attributes.created_by}
              </span>
            </p>
          )}
          {task?.attributes.error_message && <p className={styles['error']}>{task.attributes.error_message}</p>}
        </div>
      </Panel>
      <Models path={path} />
    </div>
  )
}

const isEnded = (status: string): boolean => status !== 'initializing' && status !== 'running'

/** @param onRequested called with the id of the task */
function GenerateButton({ node, path, onRequested }: NodeTabProps & { onRequested: (task: string) => void }) {
  const cache = useQueryClient()
  const toast = useToast()
  const { mutate, isPending } = useMutation({
    mutationFn: () => sluice().create(`/api${path}/models/generate`),
    onSuccess: async ({ id }) => {
      toast.done(texts.generated)
      onRequested(id)
      await Promise.all([
        cache.invalidateQueries({ queryKey: recordKey(`/api${path}`) }),
        cache.invalidateQueries({ queryKey: listKey(`/api${path}/node_background_tasks`) }),
      ])
    },
    onError: toast.failed,
  })
  const isBusy = isPending || node.attributes.task_active === true
  return (
    <Button size="small" busy={isBusy} disabledReason={whyNotChange(node)} onClick={() => mutate()}>
      <RefreshCw size={14} aria-hidden />
      {isBusy ? texts.generating : texts.generate}
    </Button>
  )
}

function Models({ path }: { path: string }) {
  const { records, query } = useList<'model'>(`/api${path}/models`, { limit: 20 })
  return (
    <ListStates
      query={query}
      count={records.length}
      skeleton={3}
      empty={<p className={styles['soft']}>{texts.noModels}</p>}
    >
      {records.map(model => (
        <ModelPanel key={model.id} model={model} />
      ))}
    </ListStates>
  )
}

const ModelPanel = ({ model: { attributes } }: { model: Resource<Model> }) => (
  <Panel
    title={
      <h3 className={styles['line']}>
        <Time at={attributes.created_at} />
        <span>
          {texts.by} {attributes.created_by}
        </span>
        <code>{attributes.commit_sha.slice(0, 8)}</code>
      </h3>
    }
  >
    <div className={styles['stack']}>
      <Text label={texts.modelData} text={JSON.stringify(attributes.data, undefined, 2)} />
      {attributes.render_logs.length > 0 && (
        <Text
          label={texts.modelLog}
          text={attributes.render_logs.map(({ category, message }) => `${category}: ${message}`).join('\n')}
        />
      )}
    </div>
  </Panel>
)

/** Long text that scrolls, also by keyboard. */
const Text = ({ label, text }: { label: string; text: string }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls can be focused.
  <section className={styles['data']} aria-label={label} tabIndex={0}>
    <pre>{text}</pre>
  </section>
)
