import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { WaitingReason } from '../../src/domain/steps/index.ts'
import type { Wish } from './history.ts'
import { follow, judgeQuiet } from './judge.ts'
import type { Activity, Installation } from './model.ts'
import type { Happened } from './trail.ts'

const usual: Wish = {
  kind: 'change',
  name: 0,
  node: 0,
  user: 'ada',
  underWay: false,
  allowSameName: false,
  allowParallel: true,
  onRunnerLost: 'error',
  stepwise: false,
  tree: 'step',
  startIn: 0,
}

const activity = (number: number, over: Partial<Activity> = {}, wish: Partial<Wish> = {}): Activity => ({
  id: `a${number}`,
  number,
  status: 'pending',
  pauseState: 'none',
  runAt: null,
  holdsSlot: false,
  slots: 0,
  queued: 0,
  running: 0,
  stopping: false,
  ...over,
  wish: { ...usual, ...wish },
})

const installation = (activities: Activity[], over: Partial<Installation> = {}): Installation => ({
  mode: 'disabled',
  superusers: new Set(['root']),
  now: 1_000,
  pools: { runner: { limit: 2, used: 0 }, model: { limit: 2, used: 0 } },
  activities,
  ...over,
})

/** Faults of the start of this activity. */
function start(all: Installation, one: Activity, before: readonly Happened[] = []): string[] {
  const wishes = new Map(all.activities.map(each => [each.id, each.wish]))
  const { wish: _, ...rest } = one
  const started = { at: 1_000, what: 'activity', activity: { ...rest, status: 'running' }, tag: one.id } as const
  return follow(all, [...before, started], wishes, new Set())
}

test('what the specification lets start is no fault', () => {
  const [first, second] = [activity(1), activity(2, {}, { name: 1 })]
  assert.deepEqual(start(installation([first, second]), second), [])
})

test('each condition that does not hold is named: maintenance, name, node, slot, pause, time', () => {
  const one = activity(5)
  const table: [Installation, RegExp][] = [
    [installation([one], { mode: 'enabled' }), /maintenance \(enabled\) holds it/],
    [installation([activity(1, { status: 'waiting' }), one]), /no\. 1 .* is of its name, older or .*, and unfinished/],
    [
      installation([activity(6, { status: 'running' }), one]),
      /no\. 6 .* is of its name, .* passed by it, and unfinished/,
    ],
    [
      installation([activity(1, { status: 'running' }, { name: 1, allowParallel: false }), one]),
      /no\. 1 .* runs on its node/,
    ],
    [
      installation([one], { pools: { runner: { limit: 1, used: 1 }, model: { limit: 1, used: 0 } } }),
      /no slot of runner/,
    ],
    [installation([{ ...one, pauseState: 'paused' }]), /it is paused/],
    [installation([{ ...one, runAt: 2_000 }]), /its time has not come/],
    [installation([activity(1, { status: 'queued' }, { name: 1 }), one]), /no\. 1 .* comes before new ones/],
    [
      installation([activity(1, { status: 'running', queued: 1 }, { name: 1, stepwise: true }), one]),
      /no\. 1 .* comes before new ones/,
    ],
  ]
  for (const [all, expected] of table) {
    const wrong = start(all, all.activities.at(-1)!)
    assert.match(wrong.join('\n'), expected)
    assert.equal(wrong.length, 1, wrong.join('\n'))
  }
})

test('under superuser_override what only maintenance holds is passed by, and what is paused or not due is not', () => {
  const own = activity(5, {}, { user: 'root' })
  const override = (elder: Activity) => start(installation([elder, own], { mode: 'superuser_override' }), own)
  assert.deepEqual(override(activity(1)), [])
  assert.equal(override(activity(1, { pauseState: 'paused' })).length, 1)
  assert.equal(override(activity(1, { runAt: 2_000 })).length, 1)
  assert.equal(override(activity(1, { status: 'running' })).length, 1)
})

test('what somebody else changed at the same time may have been either; the order of what a lock orders may not', () => {
  const own = activity(5, {}, { user: 'eve' })
  const held = installation([own], { mode: 'superuser_override' })
  const promoted = { at: 1_000, what: 'superuser', user: 'eve', is: true } as const
  const demoted = { ...promoted, is: false }
  assert.deepEqual(start(held, own, [promoted, demoted]), [])
  const on = { at: 1_000, what: 'mode', mode: 'enabled' } as const
  assert.equal(start(installation([own]), own, [on]).length, 1)
})

test('a slot above the limit is found, and slots that run out under a lowered limit are none', () => {
  const pool = (used: number, limit: number) => ({ at: 1_000, what: 'pool', pool: 'runner', limit, used }) as const
  const judge = (...trail: Happened[]) => follow(installation([]), trail, new Map(), new Set())
  assert.deepEqual(judge(pool(1, 2), pool(2, 2), pool(2, 1), pool(1, 1)), [])
  assert.deepEqual(judge(pool(1, 2), pool(1, 1), pool(2, 1)), ['2 slots of runner are taken, and its limit is 1'])
})

test('a further step of a change comes behind whoever lacks nothing but a first slot, and before nobody else', () => {
  const wide = activity(1, { status: 'running', queued: 1, running: 1, slots: 1 }, { stepwise: true })
  const further = (other: Activity) => {
    const all = installation([wide, other])
    const { wish: _, ...rest } = { ...wide, slots: 2 }
    const wishes = new Map(all.activities.map(each => [each.id, each.wish]))
    return follow(all, [{ at: 1_000, what: 'activity', activity: rest, tag: wide.id }], wishes, new Set())
  }
  assert.match(further(activity(2, {}, { name: 1 })).join(), /further step of no\. 1 .* and no\. 2 .* has none/)
  assert.equal(further(activity(2, { status: 'queued' })).length, 1)
  assert.deepEqual(further(activity(2)), [], 'an older one of its name runs')
  assert.deepEqual(further(activity(2, { status: 'running', queued: 1, running: 1, slots: 1 }, { stepwise: true })), [])
})

test('at a quiet moment a step that could have a slot has one, and else its change says what it waits for', () => {
  const wide = activity(1, { status: 'running', queued: 1, running: 1, slots: 1 }, { stepwise: true })
  const quiet = (one: Activity, used: number, reason?: WaitingReason) =>
    judgeQuiet(
      installation([one], { pools: { runner: { limit: 2, used }, model: { limit: 2, used: 0 } } }),
      new Map([[one.id, reason]]),
    )
  assert.match(quiet(wide, 1).join(), /no\. 1 .* could have a slot for another step/)
  assert.deepEqual(quiet(wide, 2), [])
  assert.deepEqual(quiet({ ...wide, stopping: true }, 1), [])
  const none = { ...wide, slots: 0, running: 0 }
  assert.deepEqual(quiet(none, 2, { kind: 'slot', by: 'runner', since: '' }), [])
  assert.match(quiet(none, 2).join(), /waits for a slot, and is said to for: undefined/)
})

test('at a quiet moment what could start is a fault, and so is another reason than the model’s', () => {
  const quiet = (
    activities: Activity[],
    reason?: Parameters<typeof judgeQuiet>[1] extends ReadonlyMap<string, infer R> ? R : never,
  ) => judgeQuiet(installation(activities), new Map(activities.map(({ id }) => [id, id === 'a2' ? reason : undefined])))
  assert.match(quiet([activity(2)]).join(), /no\. 2 .* could start and does not/)
  const both = [activity(1, { status: 'running' }), activity(2)]
  assert.deepEqual(quiet(both, { kind: 'same_name', by: 'a1', since: '' }), [])
  assert.match(
    quiet(both, { kind: 'slot', by: 'runner', since: '' }).join(),
    /waits for same_name a1, and is said to for: slot/,
  )
})
