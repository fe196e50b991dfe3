import { useList } from '../../api/queries.ts'
import { Facts } from '../../components/facts/facts.tsx'
import { Panel } from '../../components/page/page.tsx'
import { Unread } from '../../components/state/query-states.tsx'
import { Time } from '../../components/time/time.tsx'
import { agents as texts } from '../../messages/agents.ts'
import { AgentState } from './agent-state.tsx'
import { statusEvery, useAgentStatus } from './use-agent-status.ts'

/** Desired and actual state of an agent, when it last wrote a line, and its images. */
export function AgentStatusPanel({ path }: { path: string }) {
  const { status, query } = useAgentStatus(path)
  const lines = useList<'agent_log_line'>(
    `/api${path}/status/log_lines`,
    { limit: 1, 'filter[sorts]': 'logged_at desc', 'fields[agent_log_line]': 'logged_at' },
    status?.status === 'running' ? { every: statusEvery } : {},
  )
  const newest = lines.records[0]?.attributes.logged_at
  return (
    <Panel title={texts.state}>
      {!status ? (
        <Unread query={query} skeleton={3} />
      ) : (
        <Facts
          facts={[
            [texts.state, <AgentState key="status" state={status.status} />],
            [texts.desired, <AgentState key="desired" state={status.desired_status} />],
            [
              texts.lastSeen,
              newest === undefined ? lines.query.isSuccess && texts.neverSeen : <Time key="seen" at={newest} />,
            ],
            [texts.runningImage, status.active_image_sha ?? texts.noImage],
            [texts.imageBuild, <AgentState key="build" state={status.image_build_status} />],
            [texts.newestImage, status.newest_image_sha ?? texts.noImage],
          ]}
        />
      )}
    </Panel>
  )
}
