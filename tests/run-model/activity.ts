import { Judge } from '../execution-model/judge.ts'
import type { Plan as StepPlan } from '../execution-model/plan.ts'
import { retriedTree } from '../execution-model/retried.ts'
import { type Step as ChangeStep, type Mask, stepsOf, tree } from '../execution-model/step.ts'
import type { Action, Asset } from './plan.ts'

/** A change or a run. */
export interface Activity {
  /** Name under which activities queue one after the other. */
  readonly name: string
  /** Whether its step sets a start time before which it is not admitted. */
  readonly isForLater: boolean
  /** Whether it has been admitted. */
  isAdmitted: boolean
  /** Whether it is ending and cannot be stopped any more: cancelled, or aborted by a rejection. */
  readonly isStopped: boolean
  readonly isCancelled: boolean
  readonly isPaused: boolean
  readonly isOver: boolean
  begins(): void
  pauses(): void
  resumes(): void
  cancels(): void
  verdict(): Verdict
}

/** Expected content of the tables: `steps` by their paths, stored and reported. */
export interface Verdict {
  readonly status: string
  readonly reported: string
  readonly pause: string
  readonly steps: Readonly<Record<string, readonly string[]>>
}

/** A change, whose steps the execution model judges from its admission on. */
export class Change implements Activity {
  readonly name: string
  readonly action: Action
  readonly root: ChangeStep
  readonly isForLater: boolean
  isAdmitted = false
  isStopped = false
  isCancelled = false
  private judge: Judge | undefined
  private isHeld = false

  constructor(asset: Asset, action: Action, isForLater: boolean, tried?: Change) {
    this.isForLater = isForLater
    this.name = `${asset} ${action}`
    this.action = action
    this.root = tried ? retriedTree(tried.root, { mask, approvalsCount: true }) : tree(plans[action], mask)
  }

  get isOver(): boolean {
    return this.judge?.isOver() ?? false
  }

  get isPaused(): boolean {
    return this.judge ? this.judge.verdict().pause !== 'none' : this.isHeld
  }

  running = (): ChangeStep[] => this.judge?.running() ?? []
  waiting = (): ChangeStep[] => (this.isOver ? [] : (this.judge?.waiting() ?? []))
  mayBeTaken = (): boolean => this.judge !== undefined && !this.isStopped && !this.isPaused && this.isQueued()

  private isQueued = (): boolean => stepsOf(this.root).some(({ status }) => status === 'queued')

  begins(): void {
    this.isAdmitted = true
    this.judge = new Judge(this.root, 5)
  }

  take = (): ChangeStep[] => this.judge!.take(100)

  ends(step: ChangeStep, ended: 'success' | 'error'): void {
    this.judge!.ends(step, { ended: this.isStopped && ended === 'error' ? this.stoppedBody() : ended })
  }

  /** Outcome of bodies that run at a stop: a cancel kills them, after a rejection they run to their end. */
  private stoppedBody = (): 'cancelled' | 'error' => (this.isCancelled ? 'cancelled' : 'error')

  decides(step: ChangeStep, by: string): void {
    if (step.plan.kind === 'approval') this.judge!.approves(step, by)
    else this.judge!.goesOn(step)
  }

  rejects(step: ChangeStep): void {
    this.isStopped = true
    this.judge!.rejects(step)
  }

  pauses(): void {
    if (this.judge) this.judge.pauses()
    else this.isHeld = true
  }

  resumes(): void {
    if (this.judge) this.judge.resumes()
    this.isHeld = false
  }

  cancels(): void {
    this.isStopped = true
    this.isCancelled = true
    if (!this.judge) {
      // Nothing of it has begun, so nothing has to end first.
      for (const step of stepsOf(this.root)) if (step.status === 'pending') step.status = 'cancelled'
      this.begins()
    }
    this.judge!.cancels()
  }

  timePasses = (): void => this.judge?.timePasses()

  verdict(): Verdict {
    if (this.judge) return this.judge.verdict()
    const steps = Object.fromEntries(stepsOf(this.root).map(step => [step.path, [step.status, step.status]] as const))
    return { status: 'pending', reported: 'pending', pause: this.isHeld ? 'paused' : 'none', steps }
  }
}

const mask: Mask = { globs: [], autoContinue: false }

const step = (
  name: string,
  kind: StepPlan['kind'],
  children: readonly StepPlan[] = [],
  parallel = false,
): StepPlan => ({
  name,
  kind,
  parallel,
  children,
  ignoreFailure: false,
  resetOnRetry: false,
  approvals: 1,
  hasDefault: false,
})

const body = (name: string) => step(name, 'script')
const plans: Record<Action, StepPlan> = {
  plain: body('plain'),
  asks: step('asks', 'stage', [step('Look', 'wait'), body('plain')]),
  guarded: step('guarded', 'stage', [step('Look', 'approval'), body('plain')]),
  pair: step('pair', 'stage', [body('plain'), step('other', 'stage', [body('plain')])], true),
}
