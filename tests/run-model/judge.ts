import { isDeepStrictEqual } from 'node:util'
import { type Activity, Change, type Verdict } from './activity.ts'
import type { Asset, Library, Plan } from './plan.ts'
import { takeOver } from './retried.ts'
import { Run } from './run.ts'
import { type Given, runTree, type Step } from './step.ts'

type Asked = Omit<Given, 'codes'>

/** Specification of a run and all of its children, in an installation of their own. */
export class Judge {
  readonly library: Library
  /** Codes of the library's workflows. */
  readonly codes: readonly string[]
  /** Oldest first. */
  readonly activities: Activity[] = []
  private readonly labels = new Map<Activity, string>()
  private readonly given = new Map<Run, Asked>()
  private isLate = false

  constructor(library: Library, codes: readonly string[]) {
    this.library = library
    this.codes = codes
  }

  get changes(): Change[] {
    return this.activities.filter(activity => activity instanceof Change)
  }

  get runs(): Run[] {
    return this.activities.filter(activity => activity instanceof Run)
  }

  /** A new run. */
  begins(label: string, given: Asked): Run {
    const run = this.add(label, this.run(0, given))
    this.settle()
    return run
  }

  /** A retry of a run. `where`: with another value of that property. */
  retries(label: string, before: Run, asked: { globs: readonly string[] | undefined; where: Asset | undefined }): Run {
    const old = this.given.get(before)!
    const given = { where: asked.where ?? old.where, globs: asked.globs ?? old.globs }
    const run = this.run(0, given)
    takeOver(run.root, before.root, isDeepStrictEqual(given, old))
    this.add(label, run)
    this.settle()
    return run
  }

  /** Whole hours pass. */
  timePasses(): void {
    this.isLate = true
    for (const each of [...this.changes, ...this.runs]) each.timePasses()
    this.settle()
  }

  /** Pauses a run and its children, unless the run is ending by itself. */
  pauses(activity: Activity): void {
    passDown(activity, each => {
      each.pauses()
      return !each.isStopped
    })
    this.settle()
  }

  resumes(activity: Activity): void {
    passDown(activity, each => {
      each.resumes()
      return !each.isPaused
    })
    this.settle()
  }

  /** Activities by their names. */
  verdicts(): Record<string, Verdict> {
    return Object.fromEntries(this.activities.map(activity => [this.labels.get(activity)!, activity.verdict()]))
  }

  labelOf = (activity: Activity): string => this.labels.get(activity)!

  settle(): void {
    while (this.moves());
    // Children before parents.
    for (const run of this.runs.toReversed()) run.settles()
  }

  private moves(): boolean {
    const { runs } = this
    const moved = runs.filter(run => run.moves()).length > 0
    const left = runs.filter(run => run.isCancelled).flatMap(run => run.underWay())
    const cancelled = left.filter(made => !made.isOver && !made.isCancelled)
    for (const made of cancelled) made.cancels()
    const made = runs.filter(run => this.makes(run)).length > 0
    const admitted = this.activities.filter(activity => this.mayBegin(activity))
    for (const activity of admitted) activity.begins()
    return moved || made || cancelled.length + admitted.length > 0
  }

  private mayBegin(activity: Activity): boolean {
    if (activity.isAdmitted || activity.isPaused || activity.isStopped || activity.isOver) return false
    if (activity.isForLater && !this.isLate) return false
    const isBefore = (other: Activity) => other.name === activity.name && !other.isOver
    return !this.activities.slice(0, this.activities.indexOf(activity)).some(isBefore)
  }

  /** Creates the children of steps that may start. */
  private makes(run: Run): boolean {
    if (run.isPaused || run.isStopped) return false
    const due = run.where(({ status }) => status === 'queued')
    for (const step of due) this.make(run, step)
    return due.length > 0
  }

  private make(run: Run, step: Step): void {
    const made = this.madeBy(run, step)
    if (made) {
      Object.assign(step, { status: 'running', own: 'runs', made })
      this.add(`${this.labelOf(run)} > ${step.path}`, made)
    } else Object.assign(step, { status: 'error', own: 'done' })
  }

  private madeBy(run: Run, { plan, makes, tries }: Step): Activity | undefined {
    if (makes!.kind === 'change')
      return new Change(makes!.asset, makes!.action, plan.later, tries as Change | undefined)
    const { where, down } = makes!
    const level = run.level + down
    if (isImpossible(this.library[level]!, where)) return undefined
    const tried = tries as Run | undefined
    const old = tried && this.given.get(tried)!
    const made = this.run(level, { where, globs: old?.globs ?? [] }, plan.later)
    if (tried) takeOver(made.root, tried.root, old!.where === where)
    return made
  }

  private run(level: number, given: Asked, isForLater = false): Run {
    const codes = this.codes.slice(level)
    const run = new Run(level, runTree(this.library[level]!, { ...given, codes }), isForLater)
    this.given.set(run, given)
    return run
  }

  private add<A extends Activity>(label: string, activity: A): A {
    this.activities.push(activity)
    this.labels.set(activity, label)
    return activity
  }
}

/** Applies it to an activity, and if required to its children. */
function passDown(activity: Activity, deed: (activity: Activity) => boolean): void {
  if (deed(activity) && activity instanceof Run) for (const made of activity.underWay()) passDown(made, deed)
}

/** Two targets of a step cannot be one node. */
const isImpossible = (plans: readonly Plan[], where: Asset | undefined): boolean =>
  where === 'front' &&
  plans.some(
    ({ kind, targets, children }) => (kind === 'change' && targets.length > 1) || isImpossible(children, where),
  )
