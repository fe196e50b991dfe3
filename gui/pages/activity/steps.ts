import { isFinal } from '#client/sluice.ts'
import type { Resource } from '../../api/records.ts'
import { relatedIds } from './related.ts'
import type { StepNodes } from './step-rows.ts'

/** Attributes of a step that the page uses, of changes and of workflow runs alike. */
interface StepAttributes {
  readonly full_path: string
  readonly step_type: string
  readonly status_code: string
  readonly child_execution_strategy: 'sequential' | 'parallel'
  readonly ignore_failure: boolean
  readonly requires_approval_from: unknown
  readonly approved_by: unknown
  readonly tree_order: string
  readonly started_at: string | null
  readonly finished_at: string | null
  readonly updated_at: string
  /** Steps of changes. */
  readonly step_name?: string
  readonly attempt?: number
  /** Usual duration; only in the tree. */
  readonly expected_seconds?: number | null
  /** Steps of workflow runs. */
  readonly name?: string
}

export type StepRecord = Resource<StepAttributes>

export const stepName = ({ attributes: { step_name: one, name: other, full_path } }: StepRecord): string =>
  one ?? other ?? full_path

/** Statuses of steps whose branch is opened, because somebody has to look at it. */
const failed = new Set(['error', 'system_error', 'rejected'])
export const hasFailed = ({ attributes: { status_code: status, ignore_failure: ignored } }: StepRecord): boolean =>
  failed.has(status) && !ignored

export const isDone = ({ attributes }: StepRecord): boolean => isFinal(attributes.status_code)

/** Steps of one activity as a tree, which one answer fills and live streams keep current. */
export class Steps implements StepNodes {
  readonly #byId = new Map<string, StepRecord>()
  readonly #children = new Map<string, string[]>()
  readonly #roots: string[] = []
  readonly #listeners = new Set<() => void>()
  #isSorted = true
  /** Number of changes so far, of any step. */
  version = 0
  /** Number of changes of the shape of the tree so far. */
  shape = 0

  /** Adds steps, and replaces known ones unless these are newer. */
  put(records: readonly StepRecord[]): void {
    for (const record of records) {
      const known = this.#byId.get(record.id)
      if (known && known.attributes.updated_at > record.attributes.updated_at) continue
      this.#byId.set(record.id, known ? withExpectation(record, known) : record)
      if (!known) this.#place(record)
    }
    this.version += 1
    for (const listener of this.#listeners) listener()
  }

  get size(): number {
    return this.#byId.size
  }

  get(id: string): StepRecord | undefined {
    return this.#byId.get(id)
  }

  /** All steps in any order. */
  all(): Iterable<StepRecord> {
    return this.#byId.values()
  }

  get roots(): readonly string[] {
    this.#sort()
    return this.#roots
  }

  readonly childrenOf = (id: string): readonly string[] => {
    this.#sort()
    return this.#children.get(id) ?? none
  }

  parentOf(id: string): string | undefined {
    return parentId(this.#byId.get(id))
  }

  /** Workflow runs: the step that created a change, the lowest one if groups name it as well. */
  creatorOf(changeId: string): StepRecord | undefined {
    let found: StepRecord | undefined
    for (const step of this.#byId.values())
      if (relatedIds(step, 'changes').includes(changeId) && !(found && this.parentOf(found.id) === step.id))
        found = step
    return found
  }

  /** Ids of the steps above a step, the nearest first. */
  ancestorsOf(id: string): string[] {
    const above: string[] = []
    for (let each = this.parentOf(id); each !== undefined && !above.includes(each); each = this.parentOf(each))
      above.push(each)
    return above
  }

  readonly listen = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  #place(record: StepRecord): void {
    const parent = parentId(record)
    const siblings = parent === undefined ? this.#roots : (this.#children.get(parent) ?? [])
    if (parent !== undefined && siblings.length === 0) this.#children.set(parent, siblings)
    siblings.push(record.id)
    this.#isSorted = false
    this.shape += 1
  }

  /** Sorts once after steps were added; trees come in order, streams do not. */
  #sort(): void {
    if (this.#isSorted) return
    this.#isSorted = true
    const order = (id: string) => this.#byId.get(id)!.attributes.tree_order
    const byOrder = (a: string, b: string) => (order(a) < order(b) ? -1 : order(a) > order(b) ? 1 : 0)
    this.#roots.sort(byOrder)
    for (const siblings of this.#children.values()) siblings.sort(byOrder)
  }
}

const none: readonly string[] = []

/** A record with the usual duration, which only the tree has. */
function withExpectation(record: StepRecord, { attributes: { expected_seconds } }: StepRecord): StepRecord {
  if (expected_seconds === undefined) return record
  return { ...record, attributes: { expected_seconds, ...record.attributes } }
}

const parentId = (record: StepRecord | undefined): string | undefined => record && relatedIds(record, 'parent')[0]

/** What a page says about all steps together. */
export interface Progress {
  readonly all: number
  readonly done: number
  /** The failed steps that have no failed step below them, in the order of the tree. */
  readonly failed: readonly StepRecord[]
  readonly waiting: readonly StepRecord[]
  readonly running: readonly StepRecord[]
}

export function progressOf(steps: Steps): Progress {
  const [failed, waiting, running]: StepRecord[][] = [[], [], []]
  let done = 0
  for (const step of steps.all()) {
    if (isDone(step)) done += 1
    const status = step.attributes.status_code
    const isLeaf = steps.childrenOf(step.id).length === 0
    if (hasFailed(step) && !steps.childrenOf(step.id).some(id => hasFailed(steps.get(id)!))) failed!.push(step)
    else if (status === 'running' && isLeaf) running!.push(step)
    else if (isWaiting(step)) waiting!.push(step)
  }
  const sorted = (records: StepRecord[]) =>
    records.sort((a, b) => (a.attributes.tree_order < b.attributes.tree_order ? -1 : 1))
  return { all: steps.size, done, failed: sorted(failed!), waiting: sorted(waiting!), running: sorted(running!) }
}

/** Whether the step itself waits; steps above it are reported as waiting as well. */
const isWaiting = ({ attributes: { status_code: status, step_type: type } }: StepRecord): boolean =>
  (status === 'waiting' || status === 'waiting_for_approval') && (type === 'wait' || type === 'input')
