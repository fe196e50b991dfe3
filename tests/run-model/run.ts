import type { Activity, Verdict } from './activity.ts'
import { type Step, stepsOf } from './step.ts'

/**
 * Specification of a run as rules about its whole tree: each step is evaluated until none moves any more. Simple and
 * slow on purpose; it shares nothing with the engine.
 */
export class Run implements Activity {
  readonly name: string
  readonly root: Step
  /** Level of its workflow in the library, and the plans of its steps. */
  readonly level: number
  readonly isForLater: boolean
  isAdmitted = false
  isPaused = false
  /** Whether all of its children have stopped since. */
  private isAtRest = false
  stopped: 'cancelled' | 'aborted' | undefined

  constructor(level: number, root: Step, isForLater: boolean) {
    this.name = root.name
    this.isForLater = isForLater
    this.level = level
    this.root = root
  }

  get isOver(): boolean {
    return this.root.isOver
  }

  get isStopped(): boolean {
    return this.stopped !== undefined
  }

  get isCancelled(): boolean {
    return this.stopped === 'cancelled'
  }

  where(holds: (step: Step) => boolean): Step[] {
    return stepsOf(this.root).filter(holds)
  }

  waiting = (): Step[] => this.where(step => step.status === 'waiting')
  /** Unfinished children of the run. */
  underWay = (): Activity[] => this.where(step => step.own === 'runs').map(step => step.made!)

  begins(): void {
    this.isAdmitted = true
  }

  pauses(): void {
    if (this.isOver || this.isStopped || this.isPaused) return
    this.isPaused = true
    this.isAtRest = false
  }

  resumes(): void {
    if (this.stopped !== 'cancelled') this.isPaused = false
  }

  cancels(): void {
    if (!this.isOver) this.stopped = 'cancelled'
  }

  decides(step: Step, by: string): void {
    if (step.plan.kind === 'approval') {
      if (step.approvals.includes(by)) return
      step.approvals.push(by)
      if (step.approvals.length < step.plan.approvals) return
    }
    Object.assign(step, { own: 'done', status: 'running' })
  }

  rejects(step: Step): void {
    step.wasRejected = true
    this.stopped = 'aborted'
  }

  timePasses(): void {
    for (const step of this.waiting()) step.isDue ||= step.plan.kind === 'timer'
  }

  /** Whether anything has moved. */
  moves(): boolean {
    if (this.isOver || !(this.isAdmitted || this.stopped)) return false
    const moved = stepsOf(this.root).filter(step => this.hasMoved(step)).length > 0
    if (this.isOver) this.isPaused = false
    return moved
  }

  private hasMoved(step: Step): boolean {
    const before = `${step.status} ${step.own}`
    if (step.isOver) return false
    if (step.own === 'runs') this.mayEndAs(step, step.made!)
    else if (step.status === 'running') this.mayEnd(step)
    else if (this.stopped) step.status = this.stopped
    else if (step.status === 'waiting' && step.isDue && !this.isPaused)
      Object.assign(step, { own: 'done', status: 'running' })
    else if (step.status === 'pending' && isDoomed(step)) step.status = 'aborted'
    else if (step.status === 'pending' && isItsTurn(step)) begin(step)
    return `${step.status} ${step.own}` !== before
  }

  /** Ends a step with the outcome of its child. */
  private mayEndAs(step: Step, made: Activity): void {
    if (!made.isOver) return
    const { status, reported } = made.verdict()
    const isCovered = step.plan.ignoreFailure && this.stopped !== 'cancelled' && status !== 'system_error'
    step.own = 'done'
    step.status = isCovered ? 'success' : status
    step.wasRejected = reported === 'rejected'
  }

  private mayEnd(step: Step): void {
    if (!step.children.every(child => child.isOver)) return
    const those = step.children.filter(child => child.endedBadly)
    const isCut = step.children.length > 0 && (this.stopped === 'cancelled' || those.length > 0)
    if (this.stopped && isCut) step.status = this.stopped
    else if (those.length === 0 || step.plan.ignoreFailure) step.status = 'success'
    else step.status = 'error'
  }

  status(): string {
    if (this.isOver) return this.stopped ?? this.root.status
    if (!this.isAdmitted) return 'pending'
    const moves = this.where(({ status, own }) => status === 'queued' || own === 'runs').length > 0
    return !moves && this.waiting().length > 0 ? 'waiting' : 'running'
  }

  /** Evaluated when nothing moves any more. Resuming one child does not resume the run. */
  settles(): void {
    this.isAtRest ||= this.underWay().every(made => made.verdict().pause === 'paused')
  }

  private pause(): string {
    if (!this.isPaused) return 'none'
    return this.isAtRest ? 'paused' : 'pausing'
  }

  verdict(): Verdict {
    const status = this.status()
    const asks = this.waiting().some(({ plan }) => plan.kind === 'approval')
    const wasRejected = status === 'aborted' && this.where(step => step.wasRejected && step.isWait).length > 0
    const reported = status === 'waiting' && asks ? 'waiting_for_approval' : wasRejected ? 'rejected' : status
    const steps = stepsOf(this.root).map(step => [step.path, [step.status, step.reported]] as const)
    return { status, reported, pause: this.pause(), steps: Object.fromEntries(steps) }
  }
}

/** Whether a step before it, or an ancestor, has failed. */
function isDoomed(step: Step): boolean {
  const { parent } = step
  if (!parent) return false
  return (
    (parent.isOver && parent.status !== 'skipped') ||
    (!parent.plan.parallel && step.elders.some(elder => elder.endedBadly))
  )
}

function isItsTurn(step: Step): boolean {
  const { parent } = step
  if (!parent) return true
  if (parent.status !== 'running') return parent.status === 'skipped'
  return parent.plan.parallel || step.elders.every(elder => elder.isOver)
}

function begin(step: Step): void {
  if (step.isSkipped && stepsOf(step).every(each => each.isSkipped || each.isOver)) step.status = 'skipped'
  else if (step.isWait) step.status = 'waiting'
  else if (step.makes) step.status = 'queued'
  else Object.assign(step, { status: 'running', own: step.isSkipped ? 'passed' : 'done' })
}
