import { Link } from '@tanstack/react-router'
import { buttonClass } from '../../components/button/button.tsx'
import { run as texts } from '../../messages/run.ts'
import { metadataText } from './metadata-lines.ts'
import type { RunAttributes } from './run-form.ts'

interface ScheduleLinkProps {
  /** Path of the node. */
  readonly path: string
  /** Attributes of the change. */
  readonly attributes: RunAttributes
}

/** Attributes that the address of a new schedule holds. Overrides are not among them: they may be confidential. */
const taken = [
  'action',
  'git_remote_name',
  'git_rev',
  'template_version',
  'starting_step',
  'skip_steps',
  'metadata',
] as const satisfies readonly (keyof RunAttributes)[]

/** Link to a new schedule of what would run; none while the change has an option that the address does not hold. */
export function ScheduleLink({ path, attributes }: ScheduleLinkProps) {
  if (Object.keys(attributes).some(name => !(taken as readonly string[]).includes(name))) return null
  const { action, git_remote_name: remote, git_rev: rev, template_version: version, starting_step: start } = attributes
  const { skip_steps: skip, metadata } = attributes
  return (
    <Link
      to="/schedules"
      search={{
        under: path,
        schedule: 'new',
        ...(action !== undefined && { action }),
        ...(remote !== undefined && { remote }),
        ...(rev !== undefined && { rev }),
        ...(version !== undefined && { version }),
        ...(start !== undefined && { start }),
        ...(skip && { skip: skip.join('\n') }),
        ...(metadata && { metadata: metadataText(metadata) }),
      }}
      className={buttonClass({ variant: 'quiet' })}
    >
      {texts.asSchedule}
    </Link>
  )
}
