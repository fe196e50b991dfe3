import assert from 'node:assert/strict'
import { withAutoContinue } from '../../src/domain/changes/auto-continue.tx.ts'
import { maskedTree, remaskedTree } from '../../src/domain/changes/change-tree.ts'
import { maskBelow, namedBy } from '../../src/domain/changes/skip-mask.ts'
import type { ClaimedStep } from '../../src/domain/steps/for-step-execution.ts'
import { type StepDefinition, unmasked } from '../../src/domain/steps/index.ts'
import { sql } from '../../src/platform/db/sql.ts'
import { type EngineWorld, failed } from '../support/engine-world.ts'
import type { Deed, History, Retry } from './history.ts'
import { Judge, type Outcome } from './judge.ts'
import { approvers, definitionOf, type Plan, rewritten } from './plan.ts'
import { retriedTree, startAt } from './retried.ts'
import { type Mask, type Step, stepsOf, tree } from './step.ts'

/** Plays a history on changes of the real engine, and compares the state with the judge's after each deed. */
export async function play(world: EngineWorld, history: History): Promise<void> {
  const mask: Mask = { globs: history.globs, autoContinue: history.autoContinue }
  const root = tree(history.tree, mask)
  const startingStep =
    history.startingStep === undefined ? null : stepsOf(root).at(history.startingStep % stepsOf(root).length)!.path
  if (startingStep !== null) startAt(root, startingStep)
  const settings = { parallelSteps: history.atOnce, onRunnerLost: history.restarts ? 'restart' : 'error' } as const
  const first = await world.change(planted(definitionOf(history.tree), mask, startingStep), { settings })
  let change = new Played(world, first, new Judge(root, history.atOnce), history.restarts)
  await change.goesThrough(history)
  for (const retry of history.retries) {
    if (!['error', 'cancelled', 'aborted'].includes(change.judge.statusOfChange())) break
    const { refreshed } = retry
    const newer = refreshed && 'waits' in refreshed ? rewritten(history.tree, refreshed) : refreshed
    change = await retried(change, { ...retry, newer }, startingStep)
    await change.goesThrough(retry)
  }
}

const planted = (definition: StepDefinition, { globs, autoContinue }: Mask, startingStep: string | null) => {
  const masked = maskedTree(definition, { skipSteps: globs, startingStep })
  return autoContinue ? withAutoContinue(masked) : masked
}

async function retried(
  before: Played,
  retry: Retry & { newer: Plan | undefined },
  startingStep: string | null,
): Promise<Played> {
  const { world, judge, restarts } = before
  const old = judge.root.mask
  const mask: Mask = { ...old, globs: retry.globs ?? old.globs }
  const has = (plan: Plan) =>
    stepsOf(tree(plan, mask)).some(({ path }) => path.toLowerCase() === startingStep?.toLowerCase())
  const refreshed = retry.newer && (startingStep === null || has(retry.newer)) ? retry.newer : undefined
  const same = JSON.stringify(mask.globs) === JSON.stringify(old.globs)
  const { id } = await world.retry(before.id, {
    ...(!same && { before: ended => remaskedTree(ended, { skipSteps: mask.globs, startingStep }) }),
    tree: ended => {
      if (refreshed) return planted(definitionOf(refreshed), mask, startingStep)
      return same ? ended : planted(unmasked(ended), mask, startingStep)
    },
    isSkipped: maskBelow(undefined, mask.globs),
    counts: (_, given) => (retry.approvalsCount ? given : []),
    settings: { parallelSteps: judge.atOnce, onRunnerLost: restarts ? 'restart' : 'error' },
  })
  const { approvalsCount } = retry
  const root = retriedTree(judge.root, { mask, approvalsCount, refreshed, startingStep: startingStep ?? undefined })
  return new Played(world, id, new Judge(root, judge.atOnce), restarts)
}

class Played {
  readonly world: EngineWorld
  readonly id: string
  readonly judge: Judge
  readonly restarts: boolean
  private readonly held = new Map<string, ClaimedStep>()
  private readonly told: string[] = []

  constructor(world: EngineWorld, id: string, judge: Judge, restarts: boolean) {
    this.world = world
    this.id = id
    this.judge = judge
    this.restarts = restarts
  }

  /** Does these deeds, and then everything necessary until the change has ended. */
  async goesThrough({ deeds, luck }: Pick<History, 'deeds' | 'luck'>): Promise<void> {
    await this.agrees('begins')
    for (const deed of deeds) await this.happens(deed)
    for (let at = 0; !this.judge.isOver(); at += 1) {
      assert.ok(at < 500, `it never ends: ${JSON.stringify(this.judge.verdict())}`)
      if (this.judge.verdict().pause !== 'none') await this.happens({ what: 'resume' })
      await this.happens({ what: 'take', atMost: 9 })
      await this.happens({ what: 'end', which: 0, ended: luck[at % luck.length]! })
      await this.happens({ what: 'decide', which: 0, by: at })
    }
    await this.world.consistent()
  }

  private async happens(deed: Deed): Promise<void> {
    const told = await this.does(deed)
    if (told !== undefined) await this.agrees(`${deed.what} ${told}`)
  }

  /** Undefined if there is no target. */
  private async does(deed: Deed): Promise<string | undefined> {
    const { world, judge, id } = this
    if (judge.isOver()) return undefined
    if (deed.what === 'take') return this.take(deed.atMost)
    if (deed.what === 'end' || deed.what === 'add') return this.end(picked(judge.running(), deed.which), deed)
    if (deed.what === 'decide') return this.decide(picked(judge.waiting(), deed.which), approvers[deed.by % 3]!)
    if (deed.what === 'reject') {
      const step = picked(
        judge.waiting().filter(each => each.plan.kind === 'approval'),
        deed.which,
      )
      if (!step) return undefined
      await world.reject(id, step.path, 'eve')
      judge.rejects(step)
      return step.path
    }
    if (deed.what === 'time') {
      await world.moveClock('1 hour')
      await world.timers()
      // This also takes slots from activities that wait for long.
      await world.admit()
      judge.timePasses()
    } else if (deed.what === 'pause') {
      await world.pause(id)
      judge.pauses()
    } else if (deed.what === 'resume') {
      await world.resume(id)
      judge.resumes()
    } else if (deed.what === 'cancel') {
      await world.cancel(id)
      judge.cancels()
    } else {
      this.held.clear()
      await world.lose(id)
      judge.losesRunner(this.restarts)
    }
    return ''
  }

  private async take(limit: number): Promise<string | undefined> {
    const runner = await this.world.database.one(sql<{ id: string }>`
      select id from runners where activity_id = ${this.id} and status = 'wanted'`)
    const taken = runner ? await this.world.claim(this.id, runner.id, { limit }) : []
    const expected = this.judge.take(limit).map(({ path }) => path)
    const paths = taken.map(step => step.full_path)
    this.told.push(`take ${paths}`)
    assert.deepEqual(paths, expected, this.told.join('\n'))
    for (const step of taken) this.held.set(step.full_path, step)
    return paths.length === 0 ? undefined : ''
  }

  private async end(step: Step | undefined, deed: Extract<Deed, { what: 'end' | 'add' }>): Promise<string | undefined> {
    if (!step) return undefined
    const { what, which: _, ...given } = deed
    const outcome: Outcome = what === 'add' ? { ended: 'success', ...given } : (given as Outcome)
    const held = this.held.get(step.path)!
    this.held.delete(step.path)
    const { added, replaces, parallel, ended } = outcome
    this.world.storeResult = async () => ({
      childSteps: this.added(added ?? []),
      isSkipped: namedBy(this.judge.root.mask.globs),
    })
    const { verdict } = await this.world.report(held, {
      ...(ended === 'error' ? failed : { outcome: ended }),
      ...(added && { childSteps: added.map(() => ({})) }),
      ...(replaces && { replaceChildSteps: true }),
      ...(parallel !== undefined && { childExecutionStrategy: parallel ? 'parallel' : 'sequential' }),
    })
    assert.equal(verdict, 'applied')
    this.judge.ends(step, outcome)
    return `${step.path} ${JSON.stringify(outcome)}`
  }

  private added(plans: readonly Plan[]): StepDefinition[] {
    const definitions = plans.map(definitionOf)
    return this.judge.root.mask.autoContinue ? definitions.map(withAutoContinue) : definitions
  }

  private async decide(step: Step | undefined, by: string): Promise<string | undefined> {
    if (!step) return undefined
    if (step.plan.kind === 'approval') {
      await this.world.approve(this.id, step.path, by)
      this.judge.approves(step, by)
    } else {
      await this.world.goOn(this.id, step.path)
      this.judge.goesOn(step)
    }
    return `${step.path} ${by}`
  }

  /** Compares the change with the judge's state after the described deed. */
  private async agrees(after: string): Promise<void> {
    this.told.push(after)
    let found = await this.found()
    if (found.status === 'pending' || found.status === 'queued') {
      await this.world.admit()
      found = await this.found()
    }
    assert.deepEqual(found, this.judge.verdict(), this.told.join('\n'))
  }

  private async found(): Promise<ReturnType<Judge['verdict']>> {
    const row = await this.world.database.one(sql<ReturnType<Judge['verdict']>>`
      select a.status, a.reported_status as reported, a.pause_state as pause,
             (select json_object_agg(s.full_path, json_build_array(s.status, s.reported_status))
                from steps s where s.activity_id = a.id) as steps
        from activities a where a.id = ${this.id}`)
    return row!
  }
}

const picked = <T>(among: readonly T[], which: number): T | undefined => among[which % Math.max(1, among.length)]
