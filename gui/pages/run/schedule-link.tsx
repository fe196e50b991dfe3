import { Link } from '@tanstack/react-router'
import { Button, buttonClass } from '../../components/button/button.tsx'
import { run as texts } from '../../messages/run.ts'
import { metadataText } from './metadata-lines.ts'
import type { RunAttributes } from './run-form.ts'
import type { WorkflowRunAttributes } from './use-workflow-plan.ts'

interface ScheduleLinkProps {
  /** Path of the node; of a workflow that of its project. */
  readonly path: string
  /** Code of the workflow; absent for an action, which is among the attributes. */
  readonly workflow?: string
  /** Attributes of the change or workflow run. */
  readonly attributes: RunAttributes | WorkflowRunAttributes
  /** Whether these are what the form has now; before that the link would lack what was typed last. */
  readonly isCurrent: boolean
}

type Attribute = keyof RunAttributes | keyof WorkflowRunAttributes

/** Options that the address of a new schedule does not hold. Overrides are not among them: they may be confidential. */
const left = ['property_overrides', 'run_at', 'auto_continue_wait_steps'] as const satisfies readonly Attribute[]

/** Link to a new schedule of what would run; off, with the reason, while the run has an option that the address does not hold. */
export function ScheduleLink({ path, workflow, attributes, isCurrent }: ScheduleLinkProps) {
  const given: RunAttributes & WorkflowRunAttributes = attributes
  const lost = left.filter(name => isGiven(given[name]))
  if (lost.length > 0 || !isCurrent)
    return (
      <Button
        variant="quiet"
        disabledReason={isCurrent ? texts.notInSchedule(lost.map(name => texts.optionNames[name])) : texts.planning}
      >
        {texts.asSchedule}
      </Button>
    )
  const search = {
    under: path,
    schedule: 'new',
    ...(workflow !== undefined && { workflow }),
    ...(given.action !== undefined && { action: given.action }),
    ...(given.git_remote_name !== undefined && { remote: given.git_remote_name }),
    ...(given.git_rev !== undefined && { rev: given.git_rev }),
    ...(given.template_version !== undefined && { version: given.template_version }),
    ...(given.version !== undefined && { version: String(given.version) }),
    ...(given.starting_step !== undefined && { start: given.starting_step }),
    ...(given.skip_steps !== undefined && given.skip_steps.length > 0 && { skip: given.skip_steps.join('\n') }),
    ...(given.metadata && Object.keys(given.metadata).length > 0 && { metadata: metadataText(given.metadata) }),
  }
  return (
    <Link to="/schedules" search={search} className={buttonClass({ variant: 'quiet' })}>
      {texts.asSchedule}
    </Link>
  )
}

const isGiven = (value: unknown): boolean =>
  typeof value === 'object' && value !== null ? Object.keys(value).length > 0 : value !== undefined
