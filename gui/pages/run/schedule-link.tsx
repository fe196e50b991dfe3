import { Link } from '@tanstack/react-router'
import { buttonClass } from '../../components/button/button.tsx'
import { run as texts } from '../../messages/run.ts'
import type { RunAttributes } from './run-form.ts'

interface ScheduleLinkProps {
  /** Path of the node. */
  readonly path: string
  /** Attributes of the change. */
  readonly attributes: RunAttributes
}

/** Attributes that the form of a schedule has as well. */
const taken = ['action', 'git_remote_name', 'git_rev']

/** Link to a new schedule of what would run; none while the change has options that the form of a schedule does not have. */
export function ScheduleLink({ path, attributes }: ScheduleLinkProps) {
  if (Object.keys(attributes).some(name => !taken.includes(name))) return null
  const { action, git_remote_name: remote, git_rev: rev } = attributes
  return (
    <Link
      to="/schedules"
      search={{
        under: path,
        schedule: 'new',
        ...(action !== undefined && { action }),
        ...(remote !== undefined && { remote }),
        ...(rev !== undefined && { rev }),
      }}
      className={buttonClass({ variant: 'quiet' })}
    >
      {texts.asSchedule}
    </Link>
  )
}
