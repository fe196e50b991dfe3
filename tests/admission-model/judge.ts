import type { WaitingReason } from '../../src/domain/steps/index.ts'
import { poolOf, type Wish } from './history.ts'
import {
  type Activity,
  eldest,
  firstOnNode,
  hasFreeSlot,
  type Installation,
  isDue,
  isHeld,
  isOnlyHeld,
  isStartedOnSameNode,
  isUnfinished,
  wantsSlot,
  whyNot,
} from './model.ts'
import type { Happened } from './trail.ts'

/**
 * Follows a trail from one quiet moment to the next, and reports for each start the rules of admission that did not
 * hold. Concurrent reads and changes may have either order, so for pauses, superusers and clocks it is enough that the
 * condition held at some moment since the quiet one.
 *
 * @param touched activities that a deed changed meanwhile: admission skips locked ones
 */
export function follow(
  quiet: Installation,
  trail: readonly Happened[],
  wishes: ReadonlyMap<string, Wish>,
  touched: ReadonlySet<string>,
): string[] {
  const seen: Installation[] = [quiet]
  const wrong: string[] = []
  for (const happened of trail) {
    const all = { ...seen.at(-1)!, now: Math.max(seen.at(-1)!.now, happened.at) }
    if (happened.what === 'pool') {
      const { pool, used, limit } = happened
      if (used > all.pools[pool].used && used > limit)
        wrong.push(`${used} slots of ${pool} are taken, and its limit is ${limit}`)
    }
    if (happened.what === 'activity') {
      const before = all.activities.find(({ id }) => id === happened.activity.id)
      const after = { ...happened.activity, wish: wishes.get(happened.tag)! }
      if (before?.status === 'pending' && after.status === 'running')
        wrong.push(...wrongStart(seen, all, before, touched))
      if (before && before.slots > 0 && after.slots > before.slots)
        wrong.push(...wrongFurther(seen, all, before, touched))
      if (before?.status === 'queued' && after.status === 'running' && before.pauseState !== 'none')
        wrong.push(`${told(before)} went on although it is ${before.pauseState}`)
    }
    seen.push(after(all, happened, wishes))
  }
  return wrong
}

function after(all: Installation, happened: Happened, wishes: ReadonlyMap<string, Wish>): Installation {
  switch (happened.what) {
    case 'pool': {
      const { pool, limit, used } = happened
      return { ...all, pools: { ...all.pools, [pool]: { limit, used } } }
    }
    case 'mode':
      return { ...all, mode: happened.mode }
    case 'superuser': {
      const others = [...all.superusers].filter(user => user !== happened.user)
      return { ...all, superusers: new Set(happened.is ? [...others, happened.user] : others) }
    }
    case 'activity': {
      const others = all.activities.filter(({ id }) => id !== happened.activity.id)
      return { ...all, activities: [...others, { ...happened.activity, wish: wishes.get(happened.tag)! }] }
    }
  }
}

function wrongStart(
  seen: readonly Installation[],
  all: Installation,
  one: Activity,
  touched: ReadonlySet<string>,
): string[] {
  const moments = [...seen, all].map(moment => ({ ...moment, mode: all.mode }))
  const wrong: string[] = []
  if (moments.every(moment => isHeld(moment, one))) wrong.push(`maintenance (${all.mode}) holds it`)
  if (one.pauseState !== 'none') wrong.push(`it is ${one.pauseState}`)
  if (!isDue(all, one)) wrong.push('its time has not come')
  const wasOnlyHeld = (other: Activity) =>
    moments.some(moment => moment.activities.some(each => each.id === other.id && isOnlyHeld(moment, each)))
  const elder = eldest({ ...all, activities: all.activities.filter(other => !wasOnlyHeld(other)) }, one)
  if (elder) wrong.push(`${told(elder)} is of its name, older or has passed by it, and unfinished`)
  const beside = isStartedOnSameNode(all, one)
  if (beside) wrong.push(`${told(beside)} runs on its node, and one of the two must be alone`)
  if (moments.every(moment => firstOnNode(moment, one))) wrong.push('an older one is to run alone on its node')
  // Slots are claimed after the start, and each claim is checked against the limit at its moment.
  if (moments.every(moment => !hasFreeSlot(moment, one))) wrong.push(`no slot of ${poolOf(one.wish)} is free`)
  const first = all.activities.find(
    other =>
      !touched.has(other.id) &&
      poolOf(other.wish) === poolOf(one.wish) &&
      moments.every(moment => moment.activities.some(each => each.id === other.id && goesOn(each))),
  )
  if (first) wrong.push(`${told(first)} goes on, and comes before new ones`)
  return wrong.map(why => `${told(one)} started although ${why}`)
}

/** Whether it continues after a wait, or between two of its steps, none of which has a slot. */
const goesOn = (one: Activity) =>
  (one.status === 'queued' && one.pauseState === 'none') || (wantsSlot(one) && one.slots === 0)

/** A step of a change that already holds slots gets another: activities without any come before. */
function wrongFurther(
  seen: readonly Installation[],
  all: Installation,
  one: Activity,
  touched: ReadonlySet<string>,
): string[] {
  const lacksOnlySlot = (moment: Installation, other: Activity) =>
    goesOn(other) || (other.status === 'pending' && (whyNot(moment, other)?.kind ?? 'slot') === 'slot')
  const first = all.activities.find(
    other =>
      other.id !== one.id &&
      !touched.has(other.id) &&
      poolOf(other.wish) === poolOf(one.wish) &&
      [...seen, all].every(moment =>
        moment.activities.some(each => each.id === other.id && lacksOnlySlot({ ...moment, mode: all.mode }, each)),
      ),
  )
  return first ? [`a further step of ${told(one)} got a slot, and ${told(first)} has none`] : []
}

/** Checks at a quiet moment: activities that could start and do not, and reasons that differ from the model's. */
export function judgeQuiet(all: Installation, reasons: ReadonlyMap<string, WaitingReason | undefined>): string[] {
  return all.activities.flatMap(one => {
    const reason = reasons.get(one.id)
    const said = reason && `${reason.kind} ${reason.by}`
    if (one.status === 'pending' || one.status === 'queued') {
      const expected = whyNot(all, one)
      if (!expected) return [`${told(one)} could start and does not; said to wait for: ${said}`]
      const agrees = reason?.kind === expected.kind && (expected.by === undefined || expected.by === reason.by)
      return agrees ? [] : [`${told(one)} waits for ${expected.kind} ${expected.by ?? ''}, and is said to for: ${said}`]
    }
    if (one.status === 'waiting') {
      const expected = one.pauseState === 'paused' ? 'paused' : one.wish.tree === 'timer between' ? 'timer' : 'input'
      return reason?.kind === expected ? [] : [`${told(one)} waits for ${expected}, and is said to for: ${said}`]
    }
    if (wantsSlot(one) && hasFreeSlot(all, one)) return [`${told(one)} could have a slot for another step, and has not`]
    if (wantsSlot(one) && one.slots === 0)
      return reason?.kind === 'slot' ? [] : [`${told(one)} waits for a slot, and is said to for: ${said}`]
    const mayBePaused = isUnfinished(one) && one.pauseState === 'paused'
    return reason && !(mayBePaused && reason.kind === 'paused') ? [`${told(one)} is said to wait for: ${said}`] : []
  })
}

const told = ({ number, status, wish }: Activity) =>
  `no. ${number} (${status}, ${wish.kind} ${wish.name} on node ${wish.node} by ${wish.user})`
