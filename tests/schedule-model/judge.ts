import type { Tree } from './files.ts'
import type { Circumstances, Scheduled } from './scheduled.ts'
import type { Target, Terms } from './terms.ts'

/** Creators of schedules, who may lose their rights; the last of them may be deleted. */
export const people = ['ann', 'bob', 'cyd'] as const
export type Person = (typeof people)[number]
export const creators = [...people, 'admin'] as const

/** Obstacles between a person and what they may run. */
export interface Standing {
  readonly has: 'all' | 'no workflows' | 'nothing'
  readonly isBlocked: boolean
  readonly isDisabled: boolean
  readonly isDeleted: boolean
}

export const unhindered: Standing = { has: 'all', isBlocked: false, isDisabled: false, isDeleted: false }

/** An installation of schedules, with everything that they depend on. */
export class Judge {
  now: number
  catchUp = 3_600
  readonly schedules = new Map<string, Scheduled>()
  readonly standings: Record<string, Standing> = Object.fromEntries(creators.map(each => [each, unhindered]))
  readonly nodes: Record<'asset' | 'environment', 'there' | 'archived' | 'destroyed'> = {
    asset: 'there',
    environment: 'there',
  }
  readonly trees = new Map<string, Tree>()
  readonly branches = new Map<string, string>()
  /** Versions of the template. The last one has no such action. */
  readonly versions: Readonly<Record<string, { readonly commit: string; readonly isOffered: boolean }>>
  assetVersion = '1'

  constructor(now: number, versions: Readonly<Record<string, { commit: string; isOffered: boolean; tree: Tree }>>) {
    this.now = now
    this.versions = versions
    for (const { commit, tree } of Object.values(versions)) this.trees.set(commit, tree)
  }

  get there(): string[] {
    return [...this.schedules].filter(([, { isGone }]) => !isGone).map(([label]) => label)
  }

  of(label: string): Scheduled {
    return this.schedules.get(label)!
  }

  mayRun(username: string, target: Target): boolean {
    const { has, isBlocked, isDisabled, isDeleted } = this.standings[username]!
    return (
      !isBlocked && !isDisabled && !isDeleted && (has === 'all' || (has === 'no workflows' && target !== 'workflow'))
    )
  }

  isThere(target: Target): boolean {
    return target === 'workflow' || this.nodes[target] === 'there'
  }

  /**
   * Whether a node may be archived or restored: nothing is restored below an archived node, and nothing archived above
   * an existing one.
   */
  mayArchive(node: 'asset' | 'environment'): boolean {
    if (node === 'environment' && this.nodes.asset === 'there') return false
    const those = this.on(node)
    return !those.some(each => each.isAtWork || (!each.isGone && each.terms.enabled && each.next !== null))
  }

  destroys(node: 'asset' | 'environment'): void {
    const those = node === 'asset' ? (['asset'] as const) : (['asset', 'environment'] as const)
    for (const each of those) {
      this.nodes[each] = 'destroyed'
      for (const schedule of this.on(each)) schedule.isGone = true
    }
  }

  notes(): void {
    for (const schedule of this.schedules.values()) schedule.notes(this.around(schedule))
  }

  /**
   * Decides on these due times, in an order consistent with the observed result: two processes may have decided
   * concurrently.
   */
  decides(label: string, due: readonly number[], isFound: (of: Scheduled) => boolean): void {
    if (due.length === 0) return
    const those = orders(due).map(order => {
      const scheduled = this.of(label).copy()
      for (const at of order) scheduled.decides(at, this.around(scheduled))
      return scheduled
    })
    this.schedules.set(label, those.find(isFound) ?? those[0]!)
  }

  around({ createdBy, terms }: Scheduled): Circumstances {
    return {
      now: this.now,
      catchUp: this.catchUp,
      isAllowed: this.mayRun(createdBy, terms.target) && this.isThere(terms.target),
      ...this.revision(terms),
    }
  }

  private revision({ target, templateVersion, gitRev }: Terms): Pick<Circumstances, 'commit' | 'isOffered'> {
    if (target === 'workflow') return { commit: undefined, isOffered: true }
    if (target === 'asset') {
      const { commit, isOffered } = this.versions[templateVersion ?? this.assetVersion]!
      return { commit: { id: commit, tree: this.trees.get(commit)! }, isOffered }
    }
    const id = this.branches.get(gitRev!)
    return { commit: id === undefined ? null : { id, tree: this.trees.get(id)! }, isOffered: true }
  }

  private on(node: Target): Scheduled[] {
    return [...this.schedules.values()].filter(({ terms }) => terms.target === node)
  }
}

const orders = (two: readonly number[]): (readonly number[])[] => (two.length < 2 ? [two] : [two, two.toReversed()])
