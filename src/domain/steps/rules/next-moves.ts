import { follow } from '#platform/lifecycle/lifecycle.ts'
import { type StepMoveName, type StepState, stepLife } from './step.lifecycle.ts'

export type Body = 'none' | 'open' | 'done' | 'failed'

/** Columns of a step that the rules use, under the columns' names. */
export interface StepNow {
  readonly id: string
  readonly parent_id: string | null
  readonly step_type: string
  readonly status: StepState
  readonly body: Body
  readonly child_execution_strategy: 'sequential' | 'parallel'
  readonly ignore_failure: boolean
  readonly skip_requested: boolean
  readonly needs_approval: boolean
  readonly open_children: number
  /** Number of children that ended neither as success nor as skipped. */
  readonly failed_children: number
  /** Number of these that ended as system_error, which ignore_failure does not cover. */
  readonly system_failed_children: number
}

/**
 * The neighbourhood of an event, as far as it has been read: the steps with all their ancestors, the next unfinished
 * sibling of each, and the unfinished children of a step that begins.
 */
export interface Known {
  readonly steps: ReadonlyMap<string, StepNow>
  /** Step → the next sibling that is not final; null when there is none. Only for sequences. */
  readonly after: ReadonlyMap<string, string | null>
  /** Step → its children that are not final, in order; for a sequence at least the first. */
  readonly children: ReadonlyMap<string, readonly string[]>
  /** Step → whether the mask also names all of its unfinished descendants. */
  readonly allSkipped: ReadonlyMap<string, boolean>
}

export interface MissingFacts {
  readonly of: 'after' | 'children' | 'allSkipped'
  readonly id: string
}

/** `rejected`: the change or run of a step of a workflow run was rejected. */
export type BodyOutcome = 'done' | 'failed' | 'cancelled' | 'rejected' | 'broken'

/** Event from which the decision starts. */
export type Happened =
  | { readonly what: 'turn'; readonly id: string }
  | { readonly what: 'body'; readonly id: string; readonly outcome: BodyOutcome }
  | { readonly what: 'continued'; readonly id: string }

/** Why nothing new begins in the activity. */
export type Stopping = 'cancelled' | 'rejected' | null

/** One step: the moves that it makes, one after the other, and its body afterwards. No move: only the body changed. */
export interface StepMove {
  readonly id: string
  readonly from: StepState
  readonly path: readonly StepMoveName[]
  readonly to: StepState
  readonly body: Body
}

/** Move of all unfinished descendants of a step. None of them has begun. */
export interface Sweep {
  readonly below: string
  readonly move: 'abort' | 'skip'
}

export interface Decision {
  readonly moves: readonly StepMove[]
  readonly sweeps: readonly Sweep[]
  /** Facts that have to be read before the decision is valid; empty for a complete one. */
  readonly missing: readonly MissingFacts[]
}

/**
 * Decides the next moves after an event. Pure, and based on a neighbourhood only, so that ending a step costs the same
 * whether it has two siblings or ten thousand. A test on thousands of random trees compares its decisions with those
 * from the whole tree (`nextMovesOfTree`).
 */
export function nextMoves(known: Known, stopping: Stopping, happened: readonly Happened[]): Decision {
  const pass = new Pass(known, stopping)
  for (const each of happened) pass.begin(each)
  return pass.finish()
}

type Working = { -readonly [K in keyof StepNow]: StepNow[K] } & { path: StepMoveName[]; readonly before: StepNow }

/** One decision: copies of the steps, moved in memory, and the steps still to be followed up. */
class Pass {
  readonly #known: Known
  readonly #stopping: Stopping
  readonly #touched = new Map<string, Working>()
  readonly #sweeps: Sweep[] = []
  readonly #missing: MissingFacts[] = []
  /** A list and no recursion: a thousand masked siblings in a row would be a thousand stack frames. */
  readonly #todo: (() => void)[] = []

  constructor(known: Known, stopping: Stopping) {
    this.#known = known
    this.#stopping = stopping
  }

  begin(happened: Happened): void {
    const step = this.#step(happened.id)
    if (happened.what === 'turn') this.#turn(step)
    else if (happened.what === 'body') this.#bodyEnded(step, happened.outcome)
    else this.#continued(step)
    this.#followUp()
  }

  finish(): Decision {
    const moves = [...this.#touched.values()]
      .filter(step => step.path.length > 0 || step.body !== step.before.body)
      .map(({ id, path, status, body, before }) => ({
        id,
        from: before.status,
        path: shortest(path),
        to: status,
        body,
      }))
    return { moves, sweeps: this.#sweeps, missing: this.#missing }
  }

  #followUp(): void {
    for (let next = this.#todo.shift(); next; next = this.#todo.shift()) next()
  }

  /** Starts a step that is due: the parent's body is done, and so is the elder sibling of a sequence. */
  #turn(step: Working): void {
    if (step.status !== 'pending' || this.#stopping) return
    if (step.skip_requested && !step.needs_approval) this.#skip(step)
    else if (waitsFirst(step)) this.#go(step, 'wait')
    else if (step.body === 'open') this.#go(step, 'queue')
    else this.#group(step)
  }

  /** An approval step below is kept, and so its ancestors are walked through without their bodies. */
  #skip(step: Working): void {
    if (step.open_children > 0) {
      const all = this.#look('allSkipped', step.id)
      if (all === undefined) return
      if (!all) {
        // A finished body stays finished: in a retry it may have created the children.
        if (step.body === 'open') step.body = 'none'
        this.#group(step)
        return
      }
      this.#sweep(step, 'skip')
    }
    this.#go(step, 'skip')
    this.#ended(step)
  }

  #group(step: Working): void {
    if (step.open_children === 0) {
      this.#go(step, 'pass')
      this.#ended(step)
    } else {
      this.#go(step, 'queue', 'enter')
      this.#beginChildren(step)
    }
  }

  #beginChildren(step: Working): void {
    const children = this.#look('children', step.id)
    const first = step.child_execution_strategy === 'sequential' ? children?.slice(0, 1) : children
    for (const id of first ?? []) this.#todo.push(() => this.#turn(this.#step(id)))
  }

  #bodyEnded(step: Working, outcome: BodyOutcome): void {
    step.body = outcome === 'done' ? 'done' : 'failed'
    if (step.body === 'failed') this.#sweep(step, 'abort')
    if (step.open_children === 0) this.#end(step, outcome)
    else this.#beginChildren(step)
  }

  #continued(step: Working): void {
    if (!isWait(step)) {
      this.#go(step, 'queue')
      return
    }
    step.body = 'done'
    if (step.open_children > 0) {
      this.#go(step, 'proceed')
      this.#beginChildren(step)
    } else {
      this.#go(step, 'release')
      this.#ended(step)
    }
  }

  #end(step: Working, own?: BodyOutcome): void {
    this.#go(step, endingOf(step, this.#stopping, own))
    this.#ended(step)
  }

  /**
   * Follows up a final step: its parent counts it, and ends, continues with the next step of a sequence, or aborts the
   * rest of it.
   */
  #ended(step: Working): void {
    if (!step.parent_id) return
    const parent = this.#step(step.parent_id)
    parent.open_children -= 1
    if (!endedWell(step)) parent.failed_children += 1
    if (step.status === 'system_error') parent.system_failed_children += 1
    const inSequence = parent.child_execution_strategy === 'sequential'
    if (inSequence && !endedWell(step)) this.#sweep(parent, 'abort')
    if (parent.open_children === 0) {
      if (parent.body !== 'open') this.#todo.push(() => this.#end(parent))
    } else if (inSequence) {
      const next = this.#look('after', step.id)
      if (next) this.#todo.push(() => this.#turn(this.#step(next)))
    }
  }

  #sweep(above: Working, move: Sweep['move']): void {
    if (above.open_children === 0) return
    this.#sweeps.push({ below: above.id, move })
    if (move === 'abort') above.failed_children += above.open_children
    above.open_children = 0
  }

  #go(step: Working, ...path: StepMoveName[]): void {
    step.status = follow(stepLife, step.status, path)
    step.path.push(...path)
  }

  #step(id: string): Working {
    let step = this.#touched.get(id)
    if (!step) {
      const before = this.#known.steps.get(id)
      if (!before) throw new Error(`step ${id} is not in the neighbourhood`)
      step = { ...before, path: [], before }
      this.#touched.set(id, step)
    }
    return step
  }

  #look<K extends MissingFacts['of']>(of: K, id: string): ReturnType<Known[K]['get']> {
    const found = this.#known[of].get(id)
    if (found === undefined) this.#missing.push({ of, id })
    return found as ReturnType<Known[K]['get']>
  }
}

/**
 * Moves of a step, shortened: a group that begins and ends in one decision has not begun anything, since each of its
 * steps was skipped.
 */
const shortest = (path: readonly StepMoveName[]): readonly StepMoveName[] =>
  path.length === 3 && path.join(' ') === 'queue enter succeed' ? ['pass'] : path

/** The last move of a step whose body is over and whose children are. `own`: its body ended just now. */
export function endingOf(
  step: Pick<StepNow, 'ignore_failure' | 'failed_children' | 'system_failed_children'>,
  stopping: Stopping,
  own?: BodyOutcome,
): 'succeed' | 'fail' | 'cancel' | 'abort' | 'break' {
  if (own === 'broken') return 'break'
  if (own === 'cancelled') return 'cancel'
  if (own === 'rejected') return 'abort'
  if (own === 'failed') return step.ignore_failure ? 'succeed' : 'fail'
  // A step whose body still ended well remains successful; whatever else was open when the cancel came is cancelled.
  if (stopping === 'cancelled' && (step.failed_children > 0 || own === undefined)) return 'cancel'
  if (step.system_failed_children > 0) return 'break'
  if (step.failed_children === 0) return 'succeed'
  if (stopping === 'rejected') return 'abort'
  return step.ignore_failure ? 'succeed' : 'fail'
}

export const isWait = (step: Pick<StepNow, 'step_type'>): boolean =>
  step.step_type === 'wait' || step.step_type === 'input'

/**
 * Whether a step waits before its children begin. In a retry its wait may be over already, and only its children are
 * left.
 */
const waitsFirst = (step: Pick<StepNow, 'step_type' | 'needs_approval' | 'body'>): boolean =>
  step.needs_approval || (isWait(step) && step.body === 'open')

const endedWell = (step: Pick<StepNow, 'status'>): boolean => step.status === 'success' || step.status === 'skipped'
