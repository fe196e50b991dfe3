import { Link } from '@tanstack/react-router'
import {
  CircleCheck,
  Hand,
  Hourglass,
  Layers,
  ListTree,
  RotateCcw,
  SquareTerminal,
  TextCursorInput,
  Workflow,
} from 'lucide-react'
import { Fragment, type ReactNode, useMemo, useState } from 'react'
import { Tag } from '../../components/chip/chip.tsx'
import type { ApprovalRule } from '../../components/decision/approvals.ts'
import { duration } from '../../components/time/format.ts'
import { Tree } from '../../components/tree/tree.tsx'
import { type Branch, treeRows } from '../../components/tree/tree-rows.ts'
import { run as texts } from '../../messages/run.ts'
import { keptCounts, mostPredecessors, neededApprovals, type Outlook, type PlanNode, type PlannedStep } from './plan.ts'
import styles from './run-sheet.module.css'

interface PlanFactsProps {
  readonly outlook: Outlook
  readonly tree: readonly Branch<PlanNode>[]
  /** Full paths of the steps that were approved in the activity that is retried. */
  readonly approved?: readonly string[]
  /** Facts that come first. */
  readonly children?: ReactNode
}

/** Facts of a plan: what it runs, how long that takes, what it waits for, and whom. */
export function PlanFacts({ outlook, tree, approved, children }: PlanFactsProps) {
  const { same_name_predecessors: behind, slots, estimated_seconds: seconds } = outlook
  const isFull = slots.claimed_count >= slots.configured_limit
  return (
    <dl className={styles['facts']}>
      {children}
      <Fact name={texts.estimate}>{seconds === null ? texts.estimateUnknown : duration(seconds * 1_000)}</Fact>
      <Fact name={texts.queue}>
        {behind.length > 0 ? <Behind ids={behind} /> : isFull ? texts.slotsFull : texts.queueFree}
      </Fact>
      <Fact name={texts.slots}>{texts.slotsText(slots.claimed_count, slots.configured_limit, slots.pool)}</Fact>
      <Fact name={texts.approvals}>
        <Approvals tree={tree} approved={approved} />
      </Fact>
    </dl>
  )
}

/** Activities that a queue shows as links. */
const mostBehind = 3

/** Links to the activities that it would wait behind, each in a window of its own: the dialog keeps what was typed. */
function Behind({ ids }: { ids: readonly string[] }) {
  const more = ids.length - mostBehind
  return (
    <>
      {texts.queueBehind(ids.length)}:{' '}
      {ids.slice(0, mostBehind).map((id, i) => (
        <Fragment key={id}>
          {i > 0 && ', '}
          <Link
            to="/activities/$id"
            params={{ id }}
            target="_blank"
            title={texts.opensActivity(id)}
            className={styles['ahead']}
          >
            {texts.shortId(id)}
          </Link>
        </Fragment>
      ))}
      {more > 0 && ` ${texts.queueMore(more, ids.length < mostPredecessors)}`}
    </>
  )
}

export const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
)

interface ApprovalsProps {
  readonly tree: readonly Branch<PlanNode>[]
  readonly approved: readonly string[] | undefined
}

function Approvals({ tree, approved }: ApprovalsProps) {
  const needed = neededApprovals(tree, approved)
  if (needed.length === 0) return texts.noApprovals
  return (
    <ul>
      {needed.map(({ path, rules, isAgain }) => (
        <li key={path}>
          {rules.map(approvalText).join(', ')} · <span>{path}</span> {isAgain && <Tag>{texts.askedAgain}</Tag>}
        </li>
      ))}
    </ul>
  )
}

const approvalText = ({ user_names: users = [], ldap_groups: groups = [], required_approvals = 1 }: ApprovalRule) =>
  texts.approvalOf(required_approvals, [...users, ...groups.map(texts.group)].join(', '))

interface PlanStepsProps {
  readonly tree: readonly Branch<PlanNode>[]
  /** Whether it is the plan of a retry, which says how many steps it keeps. */
  readonly isRetry: boolean
  /** Adds a step to what is skipped, or removes it. */
  readonly onToggleStep: (skipPath: string) => void
}

/** Tree of the steps of a plan; of a retry with the number of steps that it keeps. */
export function PlanSteps({ tree, isRetry, onToggleStep }: PlanStepsProps) {
  const [toggled, setToggled] = useState<ReadonlyMap<string, boolean>>(new Map())
  // What a retry keeps whole is told by its first line.
  const rows = useMemo(
    () => treeRows(tree, ({ id, item }) => toggled.get(id) ?? !(item.isKept && item.step.nested)),
    [tree, toggled],
  )
  const { kept, again } = keptCounts(tree)
  return (
    <>
      {isRetry && <p>{texts.keeps(kept, again)}</p>}
      <div className={styles['steps']}>
        <Tree
          label={texts.steps}
          rows={rows}
          onSelect={({ item }) => item.skipPath !== undefined && onToggleStep(item.skipPath)}
          onToggle={({ id }, isExpanded) => setToggled(new Map(toggled).set(id, isExpanded))}
        >
          {({ item }) => <Step node={item} />}
        </Tree>
      </div>
    </>
  )
}

function Step({ node: { step, isKept, isApproved } }: { node: PlanNode }) {
  const Icon = isKept ? CircleCheck : iconOf(step)
  const look = isKept ? styles['isKept'] : step.skip_requested ? styles['isOff'] : ''
  return (
    <span className={styles['step']}>
      <Icon size={15} aria-hidden />
      <span className={`${styles['stepName']} ${look}`} title={step.step_name}>
        {step.step_name}
      </span>
      {step.detail !== undefined && (
        <span className={styles['stepDetail']} title={step.detail}>
          {step.detail}
        </span>
      )}
      {step.refusal !== undefined && (
        <span className={styles['stepRefusal']} title={step.refusal}>
          {texts.wouldFail(step.refusal)}
        </span>
      )}
      {step.child_execution_strategy === 'parallel' && <Tag>{texts.parallel}</Tag>}
      {step.skip_requested && <Tag>{texts.skipped}</Tag>}
      {isKept && <Tag>{texts.kept}</Tag>}
      {step.retries && !step.skip_requested && <Tag>{texts.retries[step.retries]}</Tag>}
      {step.ignore_failure && <Tag>{texts.ignoresFailure}</Tag>}
      {step.requires_approval_from.length > 0 && <Tag>{isApproved ? texts.approvedAlready : texts.approvals}</Tag>}
    </span>
  )
}

function iconOf({ step_type: type, requires_approval_from: rules, children, retries }: PlannedStep) {
  if (rules.length > 0) return Hand
  if (type === 'wait') return Hourglass
  if (type === 'input') return TextCursorInput
  if (type === 'stage') return Layers
  if (type === 'workflow') return Workflow
  if (retries) return RotateCcw
  return children.length > 0 ? ListTree : SquareTerminal
}
