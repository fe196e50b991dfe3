import { relatedIds } from './related.ts'
import type { StepTree } from './step-tree.ts'
import { type StepRecord, Steps, stepName } from './steps.ts'

/** Run that a step of a workflow run has started, with its own steps. */
interface NestedRun {
  readonly creator: string
  readonly steps: Steps
  tree: StepTree
}

/** Steps of an activity together with those of the runs that its steps have started, as far as these have been read. */
export class NestedRuns {
  readonly #own: Steps
  /** By the id of the step that has started the run. */
  readonly #runs = new Map<string, NestedRun>()
  /** By the ids of the steps of the run. */
  readonly #byStep = new Map<string, NestedRun>()
  readonly #unreadable = new Set<string>()
  readonly #listeners = new Set<() => void>()
  /** Number of changes so far. */
  version = 0

  constructor(own: Steps) {
    this.#own = own
  }

  /** Adds the steps of the run that a step has started, or replaces them by newer ones. */
  put(creator: string, tree: StepTree): void {
    const known = this.#runs.get(creator)
    if (known?.tree === tree) return
    const run = known ?? { creator, steps: new Steps(), tree }
    run.tree = tree
    run.steps.put(tree.steps)
    this.#runs.set(creator, run)
    for (const { id } of tree.steps) this.#byStep.set(id, run)
    this.#unreadable.delete(creator)
    this.#changed()
  }

  /** Notes that the steps of a run could not be read: its lines are those of the step that has started it. */
  giveUp(creator: string): void {
    if (this.#unreadable.has(creator) || this.#runs.has(creator)) return
    this.#unreadable.add(creator)
    this.#changed()
  }

  get(id: string): StepRecord | undefined {
    return this.#own.get(id) ?? this.#byStep.get(id)?.steps.get(id)
  }

  get roots(): readonly string[] {
    return this.#own.roots
  }

  /** Steps below a step, which are those of the run that it has started if it has none of its own. */
  readonly childrenOf = (id: string): readonly string[] => {
    const own = this.#stepsWith(id).childrenOf(id)
    return own.length > 0 ? own : (this.#runs.get(id)?.steps.roots ?? [])
  }

  /** Id of the run that a step has started, whose steps can be read. */
  runOf(id: string): string | undefined {
    if (this.#unreadable.has(id) || this.#stepsWith(id).childrenOf(id).length > 0) return undefined
    const step = this.get(id)
    return step && relatedIds(step, 'workflow_runs')[0]
  }

  /** Ids of the steps whose runs a step belongs to, the nearest first. */
  creatorsOf(id: string): string[] {
    const run = this.#byStep.get(id)
    return run ? [run.creator, ...this.creatorsOf(run.creator)] : []
  }

  /** Ids of the steps above a step, the nearest first. */
  ancestorsOf(id: string): string[] {
    const run = this.#byStep.get(id)
    const own = this.#stepsWith(id).ancestorsOf(id)
    return run ? [...own, run.creator, ...this.ancestorsOf(run.creator)] : own
  }

  /** Number of lines of a step of a nested run; undefined for other steps. */
  linesOf(id: string): number | undefined {
    return this.#byStep.get(id)?.tree.lines.get(id)
  }

  /** The step that has started a change, in the innermost run that is known. */
  creatorOf(changeId: string): StepRecord | undefined {
    for (const { steps } of this.#runs.values()) {
      const found = steps.creatorOf(changeId)
      if (found) return found
    }
    return this.#own.creatorOf(changeId)
  }

  /** All known steps in any order. */
  *all(): Iterable<StepRecord> {
    yield* this.#own.all()
    for (const { steps } of this.#runs.values()) yield* steps.all()
  }

  /** Names of the steps whose runs a step belongs to, from the outermost. */
  pathOf(id: string): string[] {
    return this.creatorsOf(id)
      .toReversed()
      .map(each => stepName(this.get(each)!))
  }

  readonly listen = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  #stepsWith(id: string): Steps {
    return this.#byStep.get(id)?.steps ?? this.#own
  }

  #changed(): void {
    this.version += 1
    for (const listener of this.#listeners) listener()
  }
}
