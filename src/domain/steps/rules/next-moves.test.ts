import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { follow, isFinal } from '#platform/lifecycle/lifecycle.ts'
import { masked, nextMovesOfTree, type TreeStep } from '../../../../tests/oracles/next-moves-of-tree.ts'
import { type BodyOutcome, type Happened, nextMoves, type Stopping } from './next-moves.ts'
import { type StepMoveName, type StepState, stepLife } from './step.lifecycle.ts'
import { stepsToEnd } from './steps-to-end.ts'

const leaf = (id: string, over: Partial<TreeStep> = {}): TreeStep => ({
  id,
  parent_id: null,
  position: 0,
  step_type: 'standard',
  status: 'pending',
  body: 'open',
  child_execution_strategy: 'sequential',
  ignore_failure: false,
  skip_requested: false,
  needs_approval: false,
  ...over,
})
const group = (id: string, over: Partial<TreeStep> = {}) => leaf(id, { step_type: 'stage', body: 'none', ...over })

test('a group begins with its first child in a sequence, and with all at once in parallel', () => {
  const sequence = new Tree([group('g'), leaf('a', { parent_id: 'g' }), leaf('b', { parent_id: 'g', position: 1 })])
  sequence.happen([{ what: 'turn', id: 'g' }])
  assert.deepEqual(sequence.statuses(), { g: 'running', a: 'queued', b: 'pending' })
  const parallel = new Tree([
    group('g', { child_execution_strategy: 'parallel' }),
    leaf('a', { parent_id: 'g' }),
    leaf('b', { parent_id: 'g', position: 1 }),
  ])
  parallel.happen([{ what: 'turn', id: 'g' }])
  assert.deepEqual(parallel.statuses(), { g: 'running', a: 'queued', b: 'queued' })
})

test('children begin when the body has succeeded, and the step succeeds when they have', () => {
  const tree = new Tree([leaf('s'), leaf('a', { parent_id: 's' })])
  tree.happen([{ what: 'turn', id: 's' }])
  tree.claim('s')
  tree.happen([{ what: 'body', id: 's', outcome: 'done' }])
  assert.deepEqual(tree.statuses(), { s: 'running', a: 'queued' })
  tree.claim('a')
  tree.happen([{ what: 'body', id: 'a', outcome: 'done' }])
  assert.deepEqual(tree.statuses(), { s: 'success', a: 'success' })
})

test('a failure in a sequence aborts what follows, with everything beneath it', () => {
  const tree = new Tree([
    group('g'),
    leaf('a', { parent_id: 'g' }),
    group('b', { parent_id: 'g', position: 1 }),
    leaf('b1', { parent_id: 'b' }),
  ])
  tree.happen([{ what: 'turn', id: 'g' }])
  tree.claim('a')
  tree.happen([{ what: 'body', id: 'a', outcome: 'failed' }])
  assert.deepEqual(tree.statuses(), { g: 'error', a: 'error', b: 'aborted', b1: 'aborted' })
})

test('parallel siblings run to their end after a failure, and then the group fails', () => {
  const tree = new Tree([
    group('g', { child_execution_strategy: 'parallel' }),
    leaf('a', { parent_id: 'g' }),
    leaf('b', { parent_id: 'g', position: 1 }),
  ])
  tree.happen([{ what: 'turn', id: 'g' }])
  tree.claim('a')
  tree.claim('b')
  tree.happen([{ what: 'body', id: 'a', outcome: 'failed' }])
  assert.deepEqual(tree.statuses(), { g: 'running', a: 'error', b: 'running' })
  tree.happen([{ what: 'body', id: 'b', outcome: 'done' }])
  assert.deepEqual(tree.statuses(), { g: 'error', a: 'error', b: 'success' })
})

test('ignore_failure turns the failure of a step, and that of a group’s children, into success', () => {
  const step = new Tree([leaf('a', { ignore_failure: true })])
  step.happen([{ what: 'turn', id: 'a' }])
  step.claim('a')
  step.happen([{ what: 'body', id: 'a', outcome: 'failed' }])
  assert.deepEqual(step.statuses(), { a: 'success' })
  const tree = new Tree([group('g', { ignore_failure: true }), leaf('a', { parent_id: 'g' })])
  tree.happen([{ what: 'turn', id: 'g' }])
  tree.claim('a')
  tree.happen([{ what: 'body', id: 'a', outcome: 'failed' }])
  assert.deepEqual(tree.statuses(), { g: 'success', a: 'error' })
})

test('ignore_failure does not cover a system_error', () => {
  const tree = new Tree([group('g', { ignore_failure: true }), leaf('a', { parent_id: 'g', ignore_failure: true })])
  tree.happen([{ what: 'turn', id: 'g' }])
  tree.claim('a')
  tree.happen([{ what: 'body', id: 'a', outcome: 'broken' }])
  assert.deepEqual(tree.statuses(), { g: 'system_error', a: 'system_error' })
})

test('the skip mask leaves out a group with all that is beneath it, but never an approval step', () => {
  const whole = new Tree([
    group('g'),
    group('s', { parent_id: 'g', skip_requested: true }),
    leaf('s1', { parent_id: 's', skip_requested: true }),
    leaf('b', { parent_id: 'g', position: 1 }),
  ])
  whole.happen([{ what: 'turn', id: 'g' }])
  assert.deepEqual(whole.statuses(), { g: 'running', s: 'skipped', s1: 'skipped', b: 'queued' })
  const asked = new Tree([
    leaf('s', { skip_requested: true }),
    leaf('ask', { parent_id: 's', step_type: 'wait', needs_approval: true, skip_requested: true }),
    leaf('last', { parent_id: 's', position: 1, skip_requested: true }),
  ])
  asked.happen([{ what: 'turn', id: 's' }])
  assert.deepEqual(asked.statuses(), { s: 'running', ask: 'waiting', last: 'pending' })
  asked.happen([{ what: 'continued', id: 'ask' }])
  assert.deepEqual(asked.statuses(), { s: 'success', ask: 'success', last: 'skipped' })
})

test('a wait step lets its own children begin when it is continued', () => {
  const tree = new Tree([leaf('w', { step_type: 'wait' }), leaf('a', { parent_id: 'w' })])
  tree.happen([{ what: 'turn', id: 'w' }])
  assert.deepEqual(tree.statuses(), { w: 'waiting', a: 'pending' })
  tree.happen([{ what: 'continued', id: 'w' }])
  assert.deepEqual(tree.statuses(), { w: 'running', a: 'queued' })
})

test('a cancel ends everything but what runs, which ends when it is known to be over', () => {
  const tree = new Tree([
    group('g', { child_execution_strategy: 'parallel' }),
    leaf('a', { parent_id: 'g' }),
    leaf('b', { parent_id: 'g', position: 1 }),
    leaf('b1', { parent_id: 'b' }),
  ])
  tree.happen([{ what: 'turn', id: 'g' }])
  tree.claim('b')
  tree.cancel()
  assert.deepEqual(tree.statuses(), { g: 'running', a: 'cancelled', b: 'running', b1: 'cancelled' })
  tree.happen([{ what: 'body', id: 'b', outcome: 'cancelled' }])
  assert.deepEqual(tree.statuses(), { g: 'cancelled', a: 'cancelled', b: 'cancelled', b1: 'cancelled' })
})

test('a step that ends well while a cancel is under way keeps its success; the activity is cancelled', () => {
  const tree = new Tree([group('g'), leaf('a', { parent_id: 'g' })])
  tree.happen([{ what: 'turn', id: 'g' }])
  tree.claim('a')
  tree.cancel()
  tree.happen([{ what: 'body', id: 'a', outcome: 'done' }])
  assert.deepEqual(tree.statuses(), { g: 'cancelled', a: 'success' })
})

test('two thousand masked siblings in a row are left out by one decision', () => {
  const many = Array.from({ length: 2_000 }, (_, position) =>
    leaf(`s${position}`, { parent_id: 'g', position, skip_requested: true }),
  )
  const tree = new Tree([group('g'), ...many])
  tree.happen([{ what: 'turn', id: 'g' }])
  assert.equal(tree.statuses()['g'], 'success')
  assert.equal(tree.statuses()['s1999'], 'skipped')
})

test('a group of which everything is left out ends without having begun', () => {
  const none = { open_children: 0, failed_children: 0, system_failed_children: 0 }
  const steps = [
    { ...group('g'), ...none, open_children: 1 },
    { ...leaf('a', { parent_id: 'g', skip_requested: true }), ...none },
  ]
  const { moves } = nextMoves(
    {
      steps: new Map(steps.map(step => [step.id, step])),
      after: new Map([['a', null]]),
      children: new Map([['g', ['a']]]),
      allSkipped: new Map(),
    },
    null,
    [{ what: 'turn', id: 'g' }],
  )
  assert.deepEqual(
    moves.map(({ id, path }) => [id, path]),
    [
      ['g', ['pass']],
      ['a', ['skip']],
    ],
  )
})

test('10,000 random trees always end, move only as the table allows, and the neighbourhood decides as the whole tree would', () => {
  fc.assert(
    fc.property(trees, fc.array(fc.nat(999), { minLength: 12, maxLength: 60 }), (steps, chances) => {
      const tree = new Tree(steps)
      let chance = 0
      const dice = (sides: number) => (chances[chance++ % chances.length]! + chance) % sides
      tree.check(() => tree.happen([{ what: 'turn', id: 's0' }]), [{ what: 'turn', id: 's0' }])
      for (let tick = 0; tick < 400 && !tree.ended(); tick++) {
        const live = tree.inFlight()
        assert.ok(live.length > 0, 'the tree is stuck')
        if (dice(40) === 0 && !tree.stopping) {
          tree.cancel()
          continue
        }
        const batch = live.filter((step, at) => at === 0 || (step.status === 'running' && dice(3) === 0))
        const claimed = batch.find(step => step.status === 'queued')
        if (claimed) {
          tree.claim(claimed.id)
          continue
        }
        const happened = batch
          .filter((step, at) => at === 0 || step.status === 'running')
          .map((step): Happened => {
            if (step.status === 'waiting') return { what: 'continued', id: step.id }
            return { what: 'body', id: step.id, outcome: outcomes[dice(outcomes.length)]! }
          })
        tree.check(() => tree.happen(happened), happened)
      }
      assert.ok(tree.ended(), 'the tree does not end')
    }),
    { numRuns: 10_000, seed: 20_261_121 },
  )
})

const idsOf = (steps: readonly TreeStep[]) => steps.map(step => step.id)

const outcomes: BodyOutcome[] = [...new Array(14).fill('done'), 'failed', 'failed', 'failed', 'cancelled', 'broken']

const trees = fc
  .array(
    fc.record({
      parent: fc.nat(99),
      kind: fc.constantFrom('body', 'body', 'body', 'group', 'group', 'wait', 'approval'),
      parallel: fc.boolean(),
      ignore: fc.nat(2),
      skip: fc.nat(5),
    }),
    { minLength: 1, maxLength: 20, size: 'max' },
  )
  .map(rows =>
    rows.map((row, at) =>
      leaf(`s${at}`, {
        parent_id: at === 0 ? null : `s${row.parent % at}`,
        position: at,
        step_type: row.kind === 'body' ? 'standard' : row.kind === 'group' ? 'stage' : 'wait',
        body: row.kind === 'group' ? 'none' : 'open',
        child_execution_strategy: row.parallel ? 'parallel' : 'sequential',
        ignore_failure: row.ignore === 0,
        skip_requested: at > 0 && row.skip === 0,
        needs_approval: row.kind === 'approval',
      }),
    ),
  )

/** A tree in memory, moved by the neighbourhood's decisions; its counters are counted again each time. */
class Tree {
  stopping: Stopping = null
  #steps: Map<string, TreeStep>
  #childrenOf: Map<string | null, TreeStep[]>

  constructor(steps: readonly TreeStep[]) {
    this.#steps = new Map(steps.map(step => [step.id, step]))
    this.#childrenOf = Map.groupBy(
      steps.toSorted((a, b) => a.position - b.position),
      step => step.parent_id,
    )
  }

  statuses() {
    return Object.fromEntries([...this.#steps.values()].map(step => [step.id, step.status]))
  }

  ended() {
    return [...this.#steps.values()].every(step => isFinal(stepLife, step.status))
  }

  /** Queued first, then waiting or with an open body. */
  inFlight() {
    const steps = [...this.#steps.values()]
    return [
      ...steps.filter(step => step.status === 'queued'),
      ...steps.filter(step => step.status === 'running' && step.body === 'open'),
      ...steps.filter(step => step.status === 'waiting'),
    ]
  }

  claim(id: string) {
    this.#move(id, ['claim'])
  }

  /** Checks that the decision from the neighbourhood equals the fixed point of the rules on the whole tree. */
  check(act: () => void, happened: readonly Happened[]) {
    const oracle = new Map(this.#steps)
    const set = (id: string, over: Partial<TreeStep>) => oracle.set(id, { ...oracle.get(id)!, ...over })
    for (const each of happened) {
      if (each.what === 'body') set(each.id, { body: each.outcome === 'done' ? 'done' : 'failed', own: each.outcome })
      if (each.what === 'continued') set(each.id, { body: 'done', status: 'running' })
    }
    for (let moves = nextMovesOfTree([...oracle.values()], this.stopping); moves.length; ) {
      for (const { id, path } of moves) {
        const step = oracle.get(id)!
        const entered = path.includes('enter') && step.body === 'open'
        set(id, { status: follow(stepLife, step.status, path), ...(entered && { body: 'none' }) })
      }
      moves = nextMovesOfTree([...oracle.values()], this.stopping)
    }
    act()
    assert.deepEqual(
      this.statuses(),
      Object.fromEntries([...oracle.values()].map(step => [step.id, step.status])),
      JSON.stringify(happened),
    )
  }

  cancel() {
    this.stopping = 'cancelled'
    const live = [...this.#steps.values()].filter(step => !isFinal(stepLife, step.status))
    const runs = (step: TreeStep): boolean =>
      (step.status === 'running' && step.body === 'open') || (this.#childrenOf.get(step.id) ?? []).some(runs)
    const expected = live.filter(step => !runs(step)).map(step => step.id)
    const cancelled = stepsToEnd(live)
    assert.deepEqual(cancelled.map(step => step.id).sort(), expected.sort())
    for (const step of cancelled) this.#move(step.id, ['cancel'])
  }

  /** Shows the decision only what it asks for, as the store does. */
  happen(happened: readonly Happened[]) {
    const known = { steps: new Map(), after: new Map(), children: new Map(), allSkipped: new Map() }
    const show = (step: TreeStep | undefined) => {
      for (let each = step; each; each = this.#steps.get(each.parent_id ?? ''))
        known.steps.set(each.id, this.#now(each))
    }
    for (const each of happened) show(this.#steps.get(each.id))
    let decision = nextMoves(known, this.stopping, happened)
    let reach = 1
    while (decision.missing.length) {
      for (const { of, id } of decision.missing) {
        const open = (parent: string | null) =>
          (this.#childrenOf.get(parent) ?? []).filter(step => !isFinal(stepLife, step.status))
        const step = this.#steps.get(id)!
        if (of === 'children') {
          open(id).forEach(show)
          known.children.set(id, idsOf(open(id)))
        }
        if (of === 'allSkipped')
          known.allSkipped.set(
            id,
            this.#descendants(step).every(each => masked(each)),
          )
        if (of !== 'after') continue
        const younger = open(step.parent_id).filter(sibling => sibling.position > step.position)
        const row = [step, ...younger.slice(0, reach)]
        for (const each of row) show(each)
        for (const [at, each] of row.slice(0, -1).entries()) known.after.set(each.id, row[at + 1]!.id)
        if (younger.length < reach || younger.length === 0) known.after.set(row.at(-1)!.id, null)
        reach *= 8
      }
      decision = nextMoves(known, this.stopping, happened)
    }
    const bodies = new Map(happened.flatMap(each => (each.what === 'body' ? [[each.id, each.outcome] as const] : [])))
    for (const { id, path, body, to } of decision.moves) {
      this.#move(id, path, body)
      assert.equal(this.#steps.get(id)!.status, to)
      if (bodies.has(id)) this.#put({ ...this.#steps.get(id)!, own: bodies.get(id)! })
    }
    for (const { below, move } of decision.sweeps) {
      for (const step of this.#descendants(this.#steps.get(below)!)) {
        if (!isFinal(stepLife, step.status)) this.#move(step.id, [move])
      }
    }
  }

  #move(id: string, path: readonly StepMoveName[], body?: TreeStep['body']) {
    const step = this.#steps.get(id)!
    this.#put({ ...step, status: follow(stepLife, step.status, path), body: body ?? step.body })
  }

  #put(step: TreeStep) {
    this.#steps.set(step.id, step)
    const siblings = this.#childrenOf.get(step.parent_id)!
    siblings[siblings.findIndex(each => each.id === step.id)] = step
  }

  #descendants(step: TreeStep): TreeStep[] {
    return (this.#childrenOf.get(step.id) ?? []).flatMap(child => [child, ...this.#descendants(child)])
  }

  #now(step: TreeStep) {
    const children = this.#childrenOf.get(step.id) ?? []
    const final = children.filter(child => isFinal(stepLife, child.status))
    const well: StepState[] = ['success', 'skipped']
    return {
      ...step,
      open_children: children.length - final.length,
      failed_children: final.filter(child => !well.includes(child.status)).length,
      system_failed_children: final.filter(child => child.status === 'system_error').length,
    }
  }
}
