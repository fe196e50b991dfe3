import type { Plan } from './plan.ts'
import { type Step, stepsOf } from './step.ts'

const finals = ['success', 'skipped', 'error', 'cancelled', 'aborted', 'system_error']
const isOver = ({ status }: Step) => finals.includes(status)
const endedBadly = (step: Step) => isOver(step) && step.status !== 'success' && step.status !== 'skipped'

/** Outcome of a body, or the loss of its runner. */
export interface Outcome {
  readonly ended: 'success' | 'error' | 'cancelled'
  readonly added?: readonly Plan[]
  readonly replaces?: boolean
  readonly parallel?: boolean | undefined
}

/**
 * Specification of a change as rules about its whole tree: after each deed every step is evaluated until none moves any
 * more. Slow and simple on purpose; it shares nothing with the engine, which only reads the neighbours of an ended
 * step.
 */
export class Judge {
  readonly root: Step
  readonly atOnce: number
  private stopped: 'cancelled' | 'aborted' | undefined
  private paused = false
  private hasSlot = false

  constructor(root: Step, atOnce: number) {
    this.root = root
    this.atOnce = atOnce
    this.settle()
  }

  /** The steps that meet a condition, in the order of the tree. */
  where(holds: (step: Step) => boolean): Step[] {
    return stepsOf(this.root).filter(holds)
  }

  running = (): Step[] => this.where(step => step.own === 'runs')
  waiting = (): Step[] => this.where(step => step.status === 'waiting')

  take(atMost: number): Step[] {
    if (this.stopped || this.paused || !this.hasSlot) return []
    const room = Math.min(atMost, this.atOnce - this.running().length)
    const taken = this.where(step => step.status === 'queued').slice(0, Math.max(0, room))
    for (const step of taken) Object.assign(step, { status: 'running', own: 'runs', attempt: step.attempt + 1 })
    return taken
  }

  ends(step: Step, outcome: Outcome): void {
    const { ended, added = [], replaces = false, parallel } = outcome
    const leftOut = this.stopped !== undefined && added.length > 0
    step.own = ended === 'cancelled' && this.stopped !== 'cancelled' ? 'failed' : owns[ended]
    // Also for a body whose steps are skipped: it runs again in a retry, and adds them again.
    if (ended === 'success' && parallel !== undefined) step.parallel = parallel
    if (ended === 'success' && leftOut) step.own = 'stopped'
    else if (ended === 'success' && !this.stopped) step.add(added, replaces)
    this.settle()
  }

  losesRunner(restarts: boolean): void {
    for (const step of this.running()) {
      if (restarts && !this.stopped && step.attempt < 5) Object.assign(step, { own: 'todo', status: 'queued' })
      else step.own = this.stopped === 'cancelled' ? 'stopped' : 'failed'
    }
    this.settle()
  }

  goesOn(step: Step): void {
    step.own = 'done'
    step.status = 'running'
    this.settle()
  }

  approves(step: Step, name: string): void {
    if (step.approvals.includes(name)) return
    step.approvals.push(name)
    if (step.approvals.length >= step.plan.approvals) this.goesOn(step)
  }

  rejects(step: Step): void {
    step.rejected = true
    this.stopped = 'aborted'
    this.settle()
  }

  cancels(): void {
    if (!this.isOver()) this.stopped = 'cancelled'
    this.settle()
  }

  pauses(): void {
    if (!this.isOver() && !this.stopped) this.paused = true
  }

  resumes(): void {
    if (this.stopped !== 'cancelled') this.paused = false
    this.settle()
  }

  /** Whole hours pass: timers fire, unless paused; and a waiting change gives its slot back. */
  timePasses(): void {
    for (const step of this.waiting()) step.isDue ||= step.wakesUp
    const due = this.paused || this.stopped ? [] : this.waiting().filter(step => step.isDue)
    for (const step of due) Object.assign(step, { own: 'done', status: 'running' })
    this.settle()
    if (this.statusOfChange() === 'waiting') this.hasSlot = false
  }

  isOver = () => isOver(this.root)

  private settle(): void {
    while (stepsOf(this.root).some(step => this.moves(step)));
    if (this.where(step => step.status === 'queued' || step.own === 'runs').length > 0 && !this.paused)
      this.hasSlot = true
    if (this.isOver()) this.paused = false
  }

  private moves(step: Step): boolean {
    const before = step.status
    if (isOver(step) || step.own === 'runs') return false
    if (step.status === 'running') this.mayEnd(step)
    else if (this.stopped) step.status = this.stopped
    else if (step.status === 'pending' && isDoomed(step)) step.status = 'aborted'
    else if (step.status === 'pending' && isItsTurn(step)) begin(step)
    return step.status !== before
  }

  private mayEnd(step: Step): void {
    if (!step.children.every(isOver)) return
    const those = step.children.filter(endedBadly)
    // Everything unfinished at a cancel is cancelled, also a group whose last step succeeded meanwhile; in a rejected
    // change a group with a failure is aborted with the rest.
    const isCut = step.children.length > 0 && (this.stopped === 'cancelled' || those.length > 0)
    if (this.stopped && (step.own === 'stopped' || (isPast(step) && isCut))) step.status = this.stopped
    else if (step.own !== 'failed' && those.length === 0) step.status = 'success'
    else step.status = step.ignoreFailure ? 'success' : 'error'
  }

  statusOfChange(): string {
    const { status } = this.root
    if (this.isOver()) return this.stopped ?? (status === 'skipped' ? 'success' : status)
    const moves = this.where(step => step.status === 'queued' || step.own === 'runs').length > 0
    if (!moves && this.waiting().length > 0) return 'waiting'
    return this.hasSlot ? 'running' : 'queued'
  }

  /** Expected content of the tables. */
  verdict() {
    const status = this.statusOfChange()
    const asks = this.waiting().some(step => step.plan.kind === 'approval')
    const rejected = stepsOf(this.root).some(step => step.rejected)
    return {
      status,
      reported:
        status === 'waiting' && asks ? 'waiting_for_approval' : status === 'aborted' && rejected ? 'rejected' : status,
      pause: this.paused ? (this.running().length > 0 ? 'pausing' : 'paused') : 'none',
      steps: Object.fromEntries(stepsOf(this.root).map(step => [step.path, [step.status, reported(step)]])),
    }
  }
}

const owns = { success: 'done', error: 'failed', cancelled: 'stopped' } as const

function reported(step: Step): string {
  if (step.status === 'waiting' && step.plan.kind === 'approval') return 'waiting_for_approval'
  return step.status === 'aborted' && step.rejected ? 'rejected' : step.status
}

const isPast = ({ own }: Step): boolean => own === 'done' || own === 'passed'

/** Whether a step before it, or an ancestor, has failed. */
function isDoomed({ parent, place }: Step): boolean {
  if (!parent) return false
  if (parent.own === 'failed' || endedBadly(parent) || (isOver(parent) && parent.status === 'success')) return true
  return !parent.parallel && parent.children.slice(0, place).some(endedBadly)
}

function isItsTurn({ parent, place }: Step): boolean {
  if (!parent) return true
  if (parent.status !== 'running' || !isPast(parent)) return parent.status === 'skipped'
  return parent.parallel || parent.children.slice(0, place).every(isOver)
}

function begin(step: Step): void {
  if (step.isSkipped && stepsOf(step).every(each => each.isSkipped || isOver(each))) step.status = 'skipped'
  else if (step.own === 'done') step.status = 'running'
  else if (step.isSkipped || step.plan.kind === 'stage')
    Object.assign(step, { status: 'running', own: step.isSkipped ? 'passed' : 'done' })
  else step.status = step.plan.kind === 'script' ? 'queued' : 'waiting'
}
