import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Hourglass } from 'lucide-react'
import type { ReactNode } from 'react'
import { isFinal } from '#client/sluice.ts'
import { sluice } from '../../api/client.ts'
import { listKey } from '../../api/keys.ts'
import { useDocument } from '../../api/queries.ts'
import type { NodeBackgroundTask, Resource } from '../../api/records.ts'
import { Button } from '../../components/button/button.tsx'
import { Panel } from '../../components/page/page.tsx'
import { ListStates } from '../../components/state/query-states.tsx'
import { StatusBadge } from '../../components/status/status.tsx'
import { Time } from '../../components/time/time.tsx'
import { useToast } from '../../components/toast/toast.tsx'
import { backgroundTasks as texts } from '../../messages/background-tasks.ts'
import { LogLines } from '../agents/log-lines.tsx'
import { isPermitted, type NodeRecord } from '../projects/node.ts'
import styles from '../projects/tabs/tabs.module.css'
import { tasksPath, type useTasks } from './use-tasks.ts'

/** Milliseconds between reads of what changes while a task is in progress. */
const every = 3_000

interface TaskPanelProps {
  readonly node: NodeRecord
  readonly path: string
  readonly tasks: ReturnType<typeof useTasks>
  /** What stands in place of no tasks. */
  readonly empty?: string
  readonly actions?: ReactNode
}

/** Background tasks of a node, the newest first: what each waits for, its log, and a button that cancels it. */
export function TaskPanel({ node, path, tasks, empty = texts.none, actions }: TaskPanelProps) {
  return (
    <Panel title={texts.title} flush actions={actions}>
      <ListStates
        query={tasks.query}
        count={tasks.records.length}
        skeleton={2}
        empty={<p className={`${styles['padded']} ${styles['soft']}`}>{empty}</p>}
      >
        <ul className={styles['rows']}>
          {tasks.records.map(task => (
            <Task key={task.id} task={task} node={node} path={path} />
          ))}
        </ul>
      </ListStates>
    </Panel>
  )
}

interface TaskProps {
  readonly task: Resource<NodeBackgroundTask>
  readonly node: NodeRecord
  readonly path: string
}

function Task({ task: { id, attributes }, node, path }: TaskProps) {
  const { task_type: type, request_number: number, status_code: status, error_message: error } = attributes
  const isOpen = !isFinal(status)
  const name = texts.numbered(texts.types[type] ?? type, number)
  return (
    <li>
      <div className={styles['main']}>
        <span className={styles['name']}>{name}</span>
        <span className={styles['line']}>
          <span>
            <Time at={attributes.created_at} /> {texts.by} {attributes.created_by}
          </span>
        </span>
        {status === 'initializing' && <WaitingReason id={id} />}
        {error !== null && <span className={styles['error']}>{error}</span>}
        <details>
          <summary>{texts.log}</summary>
          <LogLines
            path="/api/node_background_task_log_lines"
            query={{ node_background_task_id: id }}
            label={texts.numbered(texts.log, number)}
            empty={texts.noLines}
            every={isOpen ? every : undefined}
          />
        </details>
      </div>
      {isOpen && (
        <CancelButton
          name={name}
          task={`${tasksPath(path)}/${id}`}
          list={tasksPath(path)}
          whyNot={isPermitted(node, 'self', 'execute') ? undefined : texts.needsExecute}
        />
      )}
      <StatusBadge status={status} />
    </li>
  )
}

type Reason = Resource<{ readonly kind: string; readonly by: string | null; readonly since: string }>

/** What a task that has not begun waits for; nothing if it is about to begin. */
function WaitingReason({ id }: { id: string }) {
  const { data } = useDocument<{ data: Reason | null }>(`/api/node_background_tasks/${id}/waiting_reason`, undefined, {
    every,
  })
  const reason = data?.data?.attributes
  if (!reason) return null
  return (
    <span className={styles['line']}>
      <Hourglass size={14} aria-hidden />
      <span>
        {texts.waits} {texts.waitReasons[reason.kind]?.(reason.by ?? '') ?? reason.kind} · <Time at={reason.since} />
      </span>
    </span>
  )
}

interface CancelButtonProps {
  readonly name: string
  /** Paths of the task and of the list of tasks in the API. */
  readonly task: string
  readonly list: string
  readonly whyNot: string | undefined
}

function CancelButton({ name, task, list, whyNot }: CancelButtonProps) {
  const cache = useQueryClient()
  const toast = useToast()
  const { mutate, isPending } = useMutation({
    mutationFn: () => sluice().remove(task),
    onSuccess: () => {
      toast.done(texts.cancelled(name))
      return cache.invalidateQueries({ queryKey: listKey(list) })
    },
    onError: toast.failed,
  })
  return (
    <Button
      size="small"
      aria-label={texts.cancelOf(name)}
      disabledReason={whyNot}
      busy={isPending}
      onClick={() => mutate()}
    >
      {texts.cancel}
    </Button>
  )
}
