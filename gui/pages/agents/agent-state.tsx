import { Box, CircleDashed, CircleDot, CirclePause, CircleSlash, LoaderCircle, type LucideIcon, X } from 'lucide-react'
import { StateBadge } from '../../components/status/status.tsx'
import { agents as texts } from '../../messages/agents.ts'

/** Icon of each state of an agent and of its image, and the status that has its colours. */
const states: Readonly<Record<string, { readonly icon: LucideIcon; readonly like: string }>> = {
  absent: { icon: CircleDashed, like: 'skipped' },
  initializing: { icon: CircleDot, like: 'initializing' },
  running: { icon: LoaderCircle, like: 'running' },
  stopping: { icon: CirclePause, like: 'waiting' },
  error: { icon: X, like: 'error' },
  none: { icon: CircleSlash, like: 'skipped' },
  building: { icon: LoaderCircle, like: 'running' },
  ready: { icon: Box, like: 'success' },
}

/** Badge of the state of an agent, or of its image. */
export function AgentState({ state }: { state: string }) {
  const { icon = CircleDot, like = 'pending' } = states[state] ?? {}
  return (
    <StateBadge like={like} icon={icon}>
      {texts.states[state] ?? state}
    </StateBadge>
  )
}
