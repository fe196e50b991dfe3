import type { Rights } from '#platform/actor.ts'
import { type Awaited, awaited, type WaitingActivity } from '../steps/for-maintenance.ts'

export const countedKinds = ['change', 'workflow_run', 'node_background_task'] as const
export type CountedKind = (typeof countedKinds)[number]

/** Number of items of each kind in progress; a kind without any may be absent. */
export type Counts = Readonly<Partial<Record<CountedKind, number>>>

/** One item in progress, as the statement reads it. */
export interface InProgress {
  readonly kind: CountedKind
  readonly id: string
  readonly name: string | null
  readonly path: string
  readonly status: string
  readonly since: string
  readonly created_by: string
  readonly waits: WaitingActivity | { readonly pool: string | null }
}

/** Blocker as shown to a caller. If they may not read it: only its existence and time. */
export interface Blocker {
  readonly type: CountedKind
  readonly id: string | null
  readonly name: string | null
  readonly path: string
  readonly status_code: string
  readonly since: string
  readonly created_by: string | null
  readonly waits_for: Awaited | null
}

/** Status of a drain: drained when nothing is in progress, whatever the caller's rights. */
export function drainStatus(counts: Counts, oldest: readonly InProgress[], rights: Pick<Rights, 'may'>) {
  const of = (kind: CountedKind) => counts[kind] ?? 0
  return {
    drained: countedKinds.every(kind => of(kind) === 0),
    active_counts: {
      changes: of('change'),
      workflow_runs: of('workflow_run'),
      background_tasks: of('node_background_task'),
    },
    blockers: oldest.map(each => blocker(each, rights)),
  }
}

function blocker(each: InProgress, rights: Pick<Rights, 'may'>): Blocker {
  const { kind: type, status: status_code, since } = each
  if (!rights.may('read', each.path))
    return { type, id: null, name: null, path: 'hidden', status_code, since, created_by: null, waits_for: null }
  const { id, name, path, created_by } = each
  return { type, id, name, path, status_code, since, created_by, waits_for: waitsFor(each) ?? null }
}

function waitsFor({ waits, since }: InProgress): Awaited | undefined {
  if ('status' in waits) return awaited(waits)
  return waits.pool === null ? undefined : { kind: 'slot', by: waits.pool, since }
}
