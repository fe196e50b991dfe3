import { Judge } from '../execution-model/judge.ts'
import type { Plan } from '../execution-model/plan.ts'
import { type Mask, type Step, stepsOf, tree } from '../execution-model/step.ts'
import { type Approval, type Decidable, isSatisfied } from './deciding.ts'
import type { Asset } from './people.ts'
import { type Action, approvalAbove, askedAt, plans, workflowPlan } from './plans.ts'
import type { Asked, Properties } from './rules.ts'

/** Decisions at a waiting step. */
export interface Said {
  readonly rules: readonly Asked[]
  approvals: readonly Approval[]
  rejection: { by: string; message: string | undefined } | undefined
  continuedBy: string | null
}

export interface Made {
  readonly label: string
  /** Undefined for a run of the workflow. */
  readonly action: Action | undefined
  /** Undefined for a change of the project. */
  readonly asset: Asset | undefined
  readonly maker: string
  /** Rules from settings; empty: it begins without approval. */
  readonly rules: readonly Asked[]
  /** Properties that its own approvals may refer to. */
  readonly properties: Properties
}

/** A change or a run. The execution model determines its moves; this one determines who may trigger them. */
export class Activity {
  readonly made: Made
  readonly root: Step
  readonly judge: Judge
  private readonly said = new Map<Step, Said>()

  constructor(made: Made, root = tree(planOf(made), mask)) {
    this.made = made
    this.root = root
    this.judge = new Judge(root, 5)
  }

  get isOver(): boolean {
    return this.judge.isOver()
  }

  /** Whether it may still be stopped. */
  get isUnderWay(): boolean {
    return !this.isOver && !this.isCancelled
  }

  /** The activity that it retries. */
  tries: Activity | undefined
  isCancelled = false
  isRejected = false
  isPaused = false

  /** Names of its steps in paths and in events. */
  get stepsAre(): 'steps' | 'workflow_steps' {
    return this.made.action ? 'steps' : 'workflow_steps'
  }

  steps = (): Step[] => stepsOf(this.root)
  /** Steps that need a decision, now or later. */
  waits = (): Step[] => this.steps().filter(({ plan }) => plan.kind === 'approval' || plan.kind === 'wait')

  saidAt(step: Step): Said {
    const found = this.said.get(step)
    if (found) return found
    const rules = step.plan.kind === 'approval' ? this.rulesAt(step) : []
    const said: Said = { rules, approvals: [], rejection: undefined, continuedBy: null }
    this.said.set(step, said)
    return said
  }

  private rulesAt = ({ plan, parent }: Step): readonly Asked[] =>
    parent ? askedAt(this.made.action ?? '', plan.name, this.made.properties)! : this.made.rules

  decidable(step: Step): Decidable {
    const { kind } = step.plan
    const { rules, approvals } = this.saidAt(step)
    const isWait = kind === 'approval' || kind === 'wait'
    return { status: step.status, rules: isWait ? rules : undefined, maker: this.made.maker, approvals }
  }

  approves(step: Step, approval: Approval): void {
    const said = this.saidAt(step)
    said.approvals = [...said.approvals, approval]
    if (isSatisfied(said)) this.judge.goesOn(step)
  }

  rejects(step: Step, by: string, message: string | undefined): void {
    this.saidAt(step).rejection = { by, message }
    this.isRejected = true
    this.judge.rejects(step)
  }

  continues(step: Step, by: string): void {
    this.saidAt(step).continuedBy = by
    this.judge.goesOn(step)
  }

  ends(step: Step, ended: 'success' | 'error'): void {
    this.judge.ends(step, { ended: this.isCancelled && ended === 'error' ? 'cancelled' : ended })
  }

  cancels(): void {
    this.isCancelled = true
    this.judge.cancels()
  }

  pauses(): void {
    this.isPaused = true
    this.judge.pauses()
  }

  resumes(): void {
    this.isPaused = false
    this.judge.resumes()
  }

  mayBeTaken = (): boolean =>
    !this.isOver &&
    !this.isCancelled &&
    !this.isRejected &&
    !this.isPaused &&
    this.steps().some(({ status }) => status === 'queued')
}

export const mask: Mask = { globs: [], autoContinue: false }

export function planOf({ action, rules }: Pick<Made, 'action' | 'rules'>): Plan {
  if (!action) return workflowPlan
  return rules.length > 0 ? approvalAbove(plans[action]) : plans[action]
}
