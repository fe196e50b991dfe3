import { Hand, Hourglass, Layers, ListTree, SquareTerminal, TextCursorInput } from 'lucide-react'
import { type ReactNode, useMemo, useState } from 'react'
import { Tag } from '../../components/chip/chip.tsx'
import type { ApprovalRule } from '../../components/decision/approvals.ts'
import { duration } from '../../components/time/format.ts'
import { Tree } from '../../components/tree/tree.tsx'
import { treeRows } from '../../components/tree/tree-rows.ts'
import { run as texts } from '../../messages/run.ts'
import { keptCounts, neededApprovals, type Plan, type PlanNode, type PlannedStep, planTree } from './plan.ts'
import { PropertyChanges } from './property-changes-view.tsx'
import styles from './run-sheet.module.css'

interface PlanViewProps {
  readonly plan: Plan
  /** Whether a newer one is being read. */
  readonly isBusy: boolean
  /** Adds a step to what is skipped, or removes it. */
  readonly onToggleStep: (skipPath: string) => void
}

/** Plan of a change: what it runs, whom and what it waits for, and how its properties differ from the last run. */
export function PlanView({ plan, isBusy, onToggleStep }: PlanViewProps) {
  return (
    <section className={styles['plan']} aria-label={texts.plan} aria-busy={isBusy}>
      <Facts plan={plan} />
      <Steps plan={plan} onToggleStep={onToggleStep} />
      <PropertyChanges plan={plan} />
    </section>
  )
}

function Facts({ plan }: { plan: Plan }) {
  const { same_name_predecessors: behind, slots, estimated_seconds: seconds } = plan
  const isFull = slots.claimed_count >= slots.configured_limit
  return (
    <dl className={styles['facts']}>
      {plan.template_version !== null && <Fact name={texts.version}>{plan.template_version}</Fact>}
      <Fact name={texts.commit}>
        <code title={plan.commit_sha}>{plan.commit_sha.slice(0, 8)}</code>
      </Fact>
      <Fact name={texts.estimate}>{seconds === null ? texts.estimateUnknown : duration(seconds * 1_000)}</Fact>
      <Fact name={texts.queue}>
        {behind.length > 0 ? texts.queueBehind(behind.length) : isFull ? texts.slotsFull : texts.queueFree}
      </Fact>
      <Fact name={texts.slots}>{texts.slotsText(slots.claimed_count, slots.configured_limit, slots.pool)}</Fact>
      <Fact name={texts.approvals}>
        <Approvals plan={plan} />
      </Fact>
    </dl>
  )
}

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
)

function Approvals({ plan }: { plan: Plan }) {
  const needed = neededApprovals(plan)
  if (needed.length === 0) return texts.noApprovals
  return (
    <ul>
      {needed.map(({ path, rules }) => (
        <li key={path}>
          {rules.map(approvalText).join(', ')} · <span>{path}</span>
        </li>
      ))}
    </ul>
  )
}

const approvalText = ({ user_names: users = [], ldap_groups: groups = [], required_approvals = 1 }: ApprovalRule) =>
  texts.approvalOf(required_approvals, [...users, ...groups.map(texts.group)].join(', '))

function Steps({ plan, onToggleStep }: Pick<PlanViewProps, 'plan' | 'onToggleStep'>) {
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set())
  const rows = useMemo(() => treeRows(planTree(plan), ({ id }) => !closed.has(id)), [plan, closed])
  const { kept, again } = keptCounts(plan)
  return (
    <>
      {plan.kept_steps && <p>{texts.keeps(kept, again)}</p>}
      <div className={styles['steps']}>
        <Tree
          label={texts.steps}
          rows={rows}
          onSelect={({ item }) => onToggleStep(item.skipPath)}
          onToggle={({ id }, isExpanded) =>
            setClosed(isExpanded ? new Set([...closed].filter(each => each !== id)) : new Set([...closed, id]))
          }
        >
          {({ item }) => <Step node={item} />}
        </Tree>
      </div>
    </>
  )
}

function Step({ node: { step, isKept } }: { node: PlanNode }) {
  const Icon = iconOf(step)
  const isOff = step.skip_requested || isKept
  return (
    <span className={styles['step']}>
      <Icon size={15} aria-hidden />
      <span className={`${styles['stepName']} ${isOff ? styles['isOff'] : ''}`} title={step.step_name}>
        {step.step_name}
      </span>
      {step.child_execution_strategy === 'parallel' && <Tag>{texts.parallel}</Tag>}
      {step.skip_requested && <Tag>{texts.skipped}</Tag>}
      {isKept && <Tag>{texts.kept}</Tag>}
      {step.ignore_failure && <Tag>{texts.ignoresFailure}</Tag>}
      {step.requires_approval_from.length > 0 && <Tag>{texts.approvals}</Tag>}
    </span>
  )
}

function iconOf({ step_type: type, requires_approval_from: rules, children }: PlannedStep) {
  if (rules.length > 0) return Hand
  if (type === 'wait') return Hourglass
  if (type === 'input') return TextCursorInput
  if (type === 'stage') return Layers
  return children.length > 0 ? ListTree : SquareTerminal
}
