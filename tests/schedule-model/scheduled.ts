import { changedFiles, isMeant, type Tree } from './files.ts'
import { dueSince, movesTime, nextDue, type Terms } from './terms.ts'

export type State = 'due' | 'created' | 'skipped' | 'missed' | 'failed'

/** State of an activity: ended, and then purged. */
export interface Made {
  isOver: boolean
  isPurged: boolean
}

/** Facts that a schedule finds at a due time. */
export interface Circumstances {
  readonly now: number
  readonly catchUp: number
  /** Whether its creator may run it, and its node is not archived. */
  readonly isAllowed: boolean
  /** Commit of its revision; null: none. Undefined if it runs none. */
  readonly commit: { readonly id: string; readonly tree: Tree } | null | undefined
  /** Whether the action exists at that commit. */
  readonly isOffered: boolean
}

/** A due time noticed this soon was not missed: polling is not continuous. */
const aMoment = 60

/** A schedule according to the specification. */
export class Scheduled {
  readonly createdBy: string
  terms: Terms
  next: number | null = null
  runCount = 0
  wasDisabled = false
  isGone = false
  /** State of each due time. */
  readonly states = new Map<number, State>()
  /** Due times of its activities, and whether these have ended. */
  readonly made = new Map<number, Made>()
  readonly events: Record<string, number> = {}
  missedCount = 0
  private readonly used = new Set<string>()
  private lastUsed: Tree | undefined
  private readonly toldAt = new Map<string, number>()

  constructor(createdBy: string, terms: Terms, now: number) {
    this.createdBy = createdBy
    this.terms = terms
    this.next = terms.enabled ? nextDue(terms, now) : null
    this.tells('create')
  }

  /** A copy, for predictions. */
  copy(): Scheduled {
    return Object.assign(Object.create(Scheduled.prototype), structuredClone({ ...this }))
  }

  get isAtWork(): boolean {
    return [...this.made.values()].some(({ isOver }) => !isOver)
  }

  waiting(): number[] {
    return [...this.states].filter(([, state]) => state === 'due').map(([due]) => due)
  }

  changes(terms: Terms, given: Circumstances): void {
    const { next } = this
    const movesNext = movesTime(this.terms, terms)
    // Due times up to then are recorded, even if the schedule changes.
    if (movesNext) this.notes(given)
    this.terms = terms
    this.tells('update')
    this.next = !movesNext ? next : terms.enabled ? this.nextOf(terms, given.now) : null
    if (terms.enabled) this.wasDisabled = false
  }

  private nextOf(terms: Terms, after: number): number | null {
    return this.hasRunEnough(terms) ? null : nextDue(terms, after)
  }

  private hasRunEnough({ maximumRunCount }: Terms): boolean {
    return maximumRunCount !== null && this.runCount >= maximumRunCount
  }

  /** Records all due times up to now. */
  notes({ now, catchUp }: Circumstances): void {
    if (this.isGone || this.next === null || this.next > now) return
    const due = dueSince(this.terms, this.next, now)
    const missed = due.filter(at => now - at > Math.max(catchUp, aMoment))
    for (const at of due) this.states.set(at, missed.includes(at) ? 'missed' : 'due')
    if (missed.length > 0) this.tells('missed')
    this.missedCount += missed.length
    this.next = this.terms.repeat && this.terms.expression ? this.nextOf(this.terms, now) : null
    this.endsPerhaps(now)
  }

  /** Decides on a recorded due time. */
  decides(due: number, given: Circumstances): void {
    if (this.isGone || this.states.get(due) !== 'due') return
    this.tells('creation:create')
    this.states.set(due, this.stateOf(due, given))
    this.endsPerhaps(given.now)
  }

  private stateOf(due: number, { now, isAllowed, commit, isOffered }: Circumstances): State {
    if (!this.terms.enabled || this.hasRunEnough(this.terms)) return 'skipped'
    if (!isAllowed) return this.isDisabled()
    // An activity of an earlier, undecided due time may still be running.
    if (!this.terms.allowParallel && (this.isAtWork || this.waiting().some(earlier => earlier < due))) {
      this.tellsOnceAnHour('skipped', now)
      return 'skipped'
    }
    if (commit === null) {
      this.tells('git_sha')
      return 'failed'
    }
    if (commit && this.terms.newCommitsOnly && !this.isWanted(commit)) return 'skipped'
    if (!isOffered) {
      this.tells('creation')
      return 'failed'
    }
    this.makes(due, commit)
    return 'created'
  }

  private isDisabled(): State {
    this.terms = { ...this.terms, enabled: false }
    this.next = null
    this.wasDisabled = true
    this.tells('disabled')
    return 'failed'
  }

  private isWanted({ id, tree }: NonNullable<Circumstances['commit']>): boolean {
    const { patterns, patternMatch } = this.terms
    if (this.used.has(id)) return false
    return patterns.length === 0 || isMeant(changedFiles(this.lastUsed, tree), patterns, patternMatch)
  }

  private makes(due: number, commit: Circumstances['commit']): void {
    this.tells('creation:success')
    this.made.set(due, { isOver: false, isPurged: false })
    this.runCount += 1
    if (this.hasRunEnough(this.terms)) this.next = null
    if (!commit) return
    this.used.add(commit.id)
    this.lastUsed = commit.tree
  }

  /** Ends the schedule if nothing is due any more, recording patterns that were never met. */
  private endsPerhaps(now: number): void {
    const { patterns, enabled } = this.terms
    const isOver = enabled && this.next === null && this.waiting().length === 0
    if (isOver && patterns.length > 0 && this.runCount === 0) this.tellsOnceAnHour('patterns', now)
  }

  private tellsOnceAnHour(what: string, now: number): void {
    if (now - (this.toldAt.get(what) ?? 0) < 3_600) return
    this.toldAt.set(what, now)
    this.tells(what)
  }

  tells(what: string): void {
    this.events[what] = (this.events[what] ?? 0) + 1
  }
}
