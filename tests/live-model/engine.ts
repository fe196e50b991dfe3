import assert from 'node:assert/strict'
import type { LogRun } from '#protocol/runner-protocol.ts'
import { insertChunks } from '../../src/domain/logs/log-chunks.store.ts'
import { type Database, openDatabase } from '../../src/platform/db/database.ts'
import { sql } from '../../src/platform/db/sql.ts'
import type { Held, RunWorld } from '../run-model/world.ts'
import type { Dice } from '../support/dice.ts'
import { result } from '../support/engine-world.ts'

/** A running step, with the number of lines that it has written. */
export interface Printing {
  readonly held: Held
  lines: number
  /** Whether its last lines are sent and not committed: its runner sends nothing more until they are. */
  late: boolean
}

/** The runners of all changes: their messages are stored as from real runners. */
export class Engine {
  readonly world: RunWorld
  readonly running: Printing[] = []
  private readonly database: Database
  /** Open transactions, each ended by calling it. */
  private readonly open: (() => Promise<unknown>)[] = []

  constructor(world: RunWorld) {
    this.world = world
    this.database = openDatabase({ url: world.service.testDatabase.appUrl, name: 'runners', size: 6 })
  }

  end = () => this.database.end()

  async take(activityId: string): Promise<number> {
    const taken = await this.world.take(activityId)
    this.running.push(...taken.map(held => ({ held, lines: 0, late: false })))
    return taken.length
  }

  idle = (): Printing[] => this.running.filter(({ late }) => !late)

  /** Stores lines at once, or only when `comeIn` is called: other transactions begin and end meanwhile. */
  async prints(step: Printing, dice: Dice, late = false): Promise<void> {
    const { held } = step
    const texts = wordsOf(dice, step.lines + 1)
    const at = new Date(Date.now() + dice(2_000) - 1_000).toISOString().replace('Z', '000Z')
    const firstSeq = step.lines + 1
    step.lines += texts.length
    const { stepId, attempt, fence, runner } = held
    const runs: LogRun[] = texts.map((_, index) => [1, at, index % 3 === 2 ? 'stderr' : 'stdout'])
    const text = texts.join('\n')
    const chunk = { type: 'log' as const, seq: firstSeq, stepId, attempt, fence, firstSeq, runs, text }
    const store = (queries: Parameters<typeof insertChunks>[0]) =>
      insertChunks(queries, [{ runnerId: runner.id, chunk }])
    if (!late || this.open.length >= mostOpen) return store(this.database)
    step.late = true
    const [begun, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const done = this.database.transaction(async tx => {
      await store(tx)
      begun.resolve()
      await ended.promise
    })
    await Promise.race([begun.promise, done])
    this.open.push(() => {
      step.late = false
      ended.resolve()
      return done
    })
  }

  /** Commits one of the late ones; false if there is none. */
  async comesIn(which: number): Promise<boolean> {
    const [one] = this.open.splice(which % Math.max(1, this.open.length), 1)
    await one?.()
    return one !== undefined
  }

  /** @param added names of actions that the step adds below itself */
  async ends(step: Printing, outcome: 'success' | 'error' | 'cancelled', added: readonly string[]): Promise<void> {
    this.running.splice(this.running.indexOf(step), 1)
    const { stepId: id, attempt, fence, activityId, runner } = step.held
    const over = outcome === 'success' ? {} : { outcome, exitCode: 3, errorMessage: 'exit code 3' }
    const more = added.length > 0 && { childSteps: [...added], replaceChildSteps: false }
    const report = result({ id, attempt, fence, activity_id: activityId } as Parameters<typeof result>[0], {
      ...over,
      ...more,
    })
    const { verdicts } = await this.database.transaction(tx =>
      this.world.work.applyResults(tx, runner, [report], false),
    )
    assert.deepEqual(verdicts, ['applied'])
  }

  /** The runner of this activity is gone; its steps begin again, or fail. */
  async loses(activityId: string): Promise<void> {
    const ofIt = this.running.filter(({ held }) => held.activityId === activityId)
    const { work } = this.world
    for (const runnerId of new Set(ofIt.map(({ held }) => held.runner.id)))
      await this.database.transaction(async tx => {
        await tx.count(sql`update runners set status = 'gone' where id = ${runnerId}`)
        await work.resolveLost(tx, { runnerId, activityId, stepId: null, reason: 'its process is gone' })
      })
    for (const step of ofIt) this.running.splice(this.running.indexOf(step), 1)
  }
}

const mostOpen = 3

/** A few lines, a burst, or a long one. */
function wordsOf(dice: Dice, first: number): string[] {
  const kind = dice(40)
  if (kind === 0) return [`${first} ${'x'.repeat(100_000 + dice(900_000))}`]
  const count = kind < 3 ? 1_000 : 1 + dice(30)
  return Array.from({ length: count }, (_, index) => `${first + index} says ${'word '.repeat(dice(6))}😀`)
}
