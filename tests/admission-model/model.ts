import { type Mode, type Pool, poolOf, stepsAtOnce, type User, type Wish } from './history.ts'

/**
 * Admission as specified, independent of its implementation: pure questions about an installation at one moment.
 * Written from the specification; the engine is compared with it.
 */
export interface Installation {
  readonly mode: Mode
  readonly superusers: ReadonlySet<User>
  /** Milliseconds of the installation's clock. */
  readonly now: number
  readonly pools: Readonly<Record<Pool, { readonly limit: number; readonly used: number }>>
  readonly activities: readonly Activity[]
}

export interface Activity {
  readonly id: string
  readonly wish: Wish
  /** Order of creation: the older of two has the smaller number. */
  readonly number: number
  readonly status: string
  readonly pauseState: string
  readonly runAt: number | null
  readonly holdsSlot: boolean
  /** Slots that its steps hold. */
  readonly slots: number
  /** Steps queued for a runner, with a slot or without. */
  readonly queued: number
  /** Steps that a runner has. */
  readonly running: number
  /** Whether it is being cancelled, or was rejected. */
  readonly stopping: boolean
}

export interface Reason {
  readonly kind: 'paused' | 'start_time' | 'maintenance' | 'same_name' | 'parallel_not_allowed' | 'slot'
  readonly by?: string
}

const started = new Set(['running', 'waiting', 'queued'])
const unstarted = new Set(['initializing', 'pending'])
const isStarted = ({ status }: Pick<Activity, 'status'>) => started.has(status)
export const isUnfinished = ({ status }: Pick<Activity, 'status'>) => started.has(status) || unstarted.has(status)

/** Condition 1: whether maintenance holds it. */
export function isHeld({ mode, superusers }: Installation, { wish }: Activity): boolean {
  if (mode === 'disabled' || wish.underWay) return false
  return mode === 'enabled' || !superusers.has(wish.user)
}

export const isDue = ({ now }: Installation, { runAt }: Activity) => runAt === null || runAt <= now

/** Whether only maintenance blocks it. */
export const isOnlyHeld = (all: Installation, one: Activity) =>
  unstarted.has(one.status) && isHeld(all, one) && one.pauseState === 'none' && isDue(all, one)

/** Condition 2, for one name: the oldest that it queues behind. */
export function eldest(all: Installation, one: Activity): Activity | undefined {
  if (one.wish.allowSameName) return undefined
  return oldest(
    all.activities.filter(
      other =>
        other.wish.name === one.wish.name &&
        (isElder(other, one) ? isUnfinished(other) && !isOnlyHeld(all, other) : hasPassedBy(other, one)),
    ),
  )
}

/** Whether a younger activity overtook it while maintenance held it. Here a name belongs to one node. */
const hasPassedBy = (other: Activity, one: Activity) =>
  other.id !== one.id && isStarted(other) && !other.wish.allowSameName && other.wish.node === one.wish.node

/** Condition 2, for a node: started activities there, if one of the two must be alone. */
export function isStartedOnSameNode(all: Installation, one: Activity): Activity | undefined {
  const alone = (other: Activity) => !(one.wish.allowParallel && other.wish.allowParallel)
  return oldest(onNode(all, one).filter(other => isStarted(other) && alone(other)))
}

/** Condition 2, for a node: activities that begin before one that must be alone. */
export function firstOnNode(all: Installation, one: Activity): Activity | undefined {
  if (one.wish.allowParallel) return undefined
  return oldest(
    onNode(all, one).filter(other => unstarted.has(other.status) && isElder(other, one) && !isOnlyHeld(all, other)),
  )
}

const onNode = (all: Installation, one: Activity) =>
  one.wish.kind === 'change'
    ? all.activities.filter(
        other => other.id !== one.id && other.wish.kind === 'change' && other.wish.node === one.wish.node,
      )
    : []

/** Whether an admitted change whose steps have slots of their own could use another free slot. */
export const wantsSlot = (one: Activity) =>
  one.wish.stepwise &&
  one.wish.kind === 'change' &&
  one.status === 'running' &&
  one.pauseState === 'none' &&
  !one.stopping &&
  one.slots < Math.min(stepsAtOnce, one.queued + one.running)

const isElder = (other: Activity, one: Activity) => other.number < one.number

const oldest = (activities: readonly Activity[]) => activities.toSorted((a, b) => a.number - b.number)[0]

export const hasFreeSlot = ({ pools }: Installation, { wish }: Activity) =>
  pools[poolOf(wish)].used < pools[poolOf(wish)].limit

/** First condition that does not hold for a pending or queued activity. Undefined: it must start. */
export function whyNot(all: Installation, one: Activity): Reason | undefined {
  if (one.pauseState !== 'none') return { kind: 'paused' }
  if (one.status === 'queued') return hasFreeSlot(all, one) ? undefined : { kind: 'slot', by: poolOf(one.wish) }
  if (!isDue(all, one)) return { kind: 'start_time' }
  if (isHeld(all, one)) return { kind: 'maintenance' }
  const elder = eldest(all, one)
  if (elder) return { kind: 'same_name', by: elder.id }
  const beside = isStartedOnSameNode(all, one) ?? firstOnNode(all, one)
  if (beside) return { kind: 'parallel_not_allowed', by: beside.id }
  return hasFreeSlot(all, one) ? undefined : { kind: 'slot', by: poolOf(one.wish) }
}
