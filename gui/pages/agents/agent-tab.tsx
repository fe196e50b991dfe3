import { useDocument } from '../../api/queries.ts'
import type { AgentStatus, NodeBackgroundTask, Resource } from '../../api/records.ts'
import { Tag } from '../../components/chip/chip.tsx'
import { Panel } from '../../components/page/page.tsx'
import { ListStates, Unread } from '../../components/state/query-states.tsx'
import { Time } from '../../components/time/time.tsx'
import { agents as texts } from '../../messages/agents.ts'
import { TaskPanel } from '../background-tasks/task-panel.tsx'
import { useTasks } from '../background-tasks/use-tasks.ts'
import type { NodeTabProps } from '../projects/node-tab.ts'
import tabStyles from '../projects/tabs/tabs.module.css'
import { AgentStatusPanel } from './agent-status-panel.tsx'
import { LogLines } from './log-lines.tsx'
import { NotStartedNotice } from './not-started-notice.tsx'
import { statusEvery, useAgentStatus } from './use-agent-status.ts'

/** An agent: whether it runs, on which image, its background tasks, and its log. */
export default function AgentTab({ node, path }: NodeTabProps) {
  const tasks = useTasks(path)
  const { status, images, query } = useAgentStatus(path)
  if (!status) return <Unread query={query} />
  const isRunning = status.status === 'running'
  return (
    <div className={tabStyles['stack']}>
      {status.status === 'absent' && <NotStartedNotice />}
      <div className={tabStyles['columns']}>
        <div>
          <Panel title={texts.log}>
            <div className={tabStyles['stack']}>
              <LogLines
                path={`/api${path}/status/log_lines`}
                label={texts.logLabel}
                empty={texts.noLines}
                every={isRunning ? statusEvery : undefined}
              />
            </div>
          </Panel>
          <TaskPanel node={node} path={path} tasks={tasks} empty={texts.noTasks} />
        </div>
        <div>
          <AgentStatusPanel path={path} />
          <Images images={images} status={status} />
          {isRunning && <ContainerEvents path={path} />}
        </div>
      </div>
    </div>
  )
}

interface ImagesProps {
  readonly images: readonly Resource<NodeBackgroundTask>[]
  readonly status: AgentStatus
}

function Images({ images, status }: ImagesProps) {
  return (
    <Panel title={texts.images} flush>
      {images.length === 0 ? (
        <p className={`${tabStyles['padded']} ${tabStyles['soft']}`}>{texts.noImages}</p>
      ) : (
        <ul className={tabStyles['rows']}>
          {images.map(({ id, attributes: { image_sha: sha, created_at: at } }) => (
            <li key={id}>
              <div className={tabStyles['main']}>
                <code className={tabStyles['wrap']}>{sha}</code>
                <span className={tabStyles['line']}>
                  <span>
                    {texts.builtAt} <Time at={at} />
                  </span>
                  {sha === status.active_image_sha && <Tag>{texts.inUse}</Tag>}
                </span>
              </div>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}

interface ContainerEvent {
  readonly id: string
  readonly attributes: { readonly message: string; readonly created_at: string }
}

/** What the orchestrator reports of the container, which exists only while the agent runs. */
function ContainerEvents({ path }: { path: string }) {
  const events = useDocument<{ data: readonly ContainerEvent[] }>(`/api${path}/status/orchestrator_events`, undefined, {
    every: statusEvery,
  })
  const containerEvents = events.data?.data ?? []
  return (
    <Panel title={texts.orchestrator} flush>
      <ListStates
        query={events}
        count={containerEvents.length}
        skeleton={2}
        empty={<p className={`${tabStyles['padded']} ${tabStyles['soft']}`}>{texts.noEvents}</p>}
      >
        <ul className={tabStyles['rows']}>
          {containerEvents.map(({ id, attributes: { message, created_at: at } }) => (
            <li key={id}>
              <div className={tabStyles['main']}>
                <span className={tabStyles['wrap']}>{message}</span>
                <span className={tabStyles['line']}>
                  <Time at={at} />
                </span>
              </div>
            </li>
          ))}
        </ul>
      </ListStates>
    </Panel>
  )
}
