import { randomBytes } from 'node:crypto'
import { readMaintenance } from '../../src/domain/settings/index.ts'
import { inconsistencies, whyActivityWaits } from '../../src/domain/steps/index.ts'
import { openKeyring } from '../../src/platform/crypto/index.ts'
import { type Database, openDatabase } from '../../src/platform/db/database.ts'
import { sql } from '../../src/platform/db/sql.ts'
import { transitionsWithoutEvent } from '../failure/transitions.ts'
import { type TestDatabase, testDatabase } from '../support/database.ts'
import { node } from '../support/engine-world.ts'
import { withClient } from '../support/template-database.ts'
import { Carriers, type Task } from './carriers.ts'
import { idOfUser } from './deeds.ts'
import { type Deed, type History, pools, type Round, type What, type Wish } from './history.ts'
import { follow, judgeQuiet } from './judge.ts'
import { isUnfinished } from './model.ts'
import { readInstallation, readTrail, trailSchema } from './trail.ts'

/** Plays histories on a database of its own, with three processes, and returns the faults of each. */
export class Stage {
  readonly #own: TestDatabase
  readonly #database: Database
  readonly #carriers: Carriers
  #wishes = new Map<string, Wish>()
  #quiet!: Awaited<ReturnType<typeof readInstallation>>
  #wrong: string[] = []
  #tags = 0
  /** Counts of what was played so far. */
  readonly sums = { histories: 0, rounds: 0, deeds: 0, halts: 0, kills: 0, activities: 0 }

  private constructor(own: TestDatabase, database: Database, carriers: Carriers) {
    this.#own = own
    this.#database = database
    this.#carriers = carriers
  }

  static async open(): Promise<Stage> {
    const own = await testDatabase()
    await withClient(own.superuserUrl, admin => admin.query(trailSchema))
    const database = openDatabase({ url: own.superuserUrl, name: 'the stage', size: 4 })
    const rootKey = randomBytes(32)
    await openKeyring({ database, rootKey })
    const project = await node(database, { node_type: 'project', code: 'bank' })
    const nodes: string[] = []
    for (const code of ['n0', 'n1', 'n2'])
      nodes.push(await node(database, { node_type: 'asset', code, parent: project }))
    const setting = { appUrl: own.appUrl, rootKey: rootKey.toString('hex'), project, nodes }
    return new Stage(own, database, await Carriers.start(3, setting, database))
  }

  async close(): Promise<void> {
    await this.#carriers.end()
    await this.#database.end()
    await this.#own.drop()
  }

  /** Conditions that did not hold; empty: all held. */
  async play(history: History): Promise<string[]> {
    await this.#clear()
    this.sums.histories += 1
    for (const [at, round] of history.entries()) {
      await this.#playRound(round)
      await this.#comeToRest(`after round ${at + 1}`)
      if (this.#wrong.length > 0) return this.#wrong
    }
    await this.#endAll()
    return this.#wrong
  }

  async #playRound(round: Round): Promise<void> {
    const tasks: Task[] = []
    const touched = new Set<string>()
    const deaths = new Set<Task>()
    for (const deed of round.deeds) {
      const task = this.#begin(deed, touched)
      if (!task) continue
      tasks.push(task)
      if (deed.halt?.and === 'die') deaths.add(task)
      if (!round.together) await this.#carriers.settled(tasks)
    }
    await this.#carriers.settled(tasks)
    for (const task of tasks) {
      if (task.state !== 'halted') continue
      this.sums.halts += 1
      if (deaths.has(task)) {
        this.sums.kills += 1
        await this.#carriers.kill(task)
      } else this.#carriers.goOn(task)
      await this.#carriers.settled(tasks)
    }
    await this.#carriers.theDeadAreGone()
    this.sums.rounds += 1
    this.#wrong.push(...tasks.flatMap(({ error }) => error ?? []))
    await this.#judgeTrail(touched)
  }

  #begin({ what, process, halt }: Deed, touched: Set<string>): Task | undefined {
    const { activities } = this.#quiet
    const among = activities.filter(what.do === 'retry' ? one => !isUnfinished(one) : isUnfinished)
    const one = 'which' in what ? among[what.which % among.length] : undefined
    if ('which' in what && !one) return undefined
    const id = one?.id ?? ''
    touched.add(id)
    this.sums.deeds += 1
    const wish = what.do === 'create' ? what.wish : what.do === 'retry' ? one!.wish : undefined
    const order = { what, id, wish, tag: this.#tag(wish), ...(halt && { haltBefore: halt.before }) }
    return this.#carriers.order(process, order)
  }

  #tag(wish: Wish | undefined): string {
    const tag = `deed-${++this.#tags}`
    if (wish) {
      this.#wishes.set(tag, wish)
      this.sums.activities += 1
    }
    return tag
  }

  async #judgeTrail(touched: ReadonlySet<string>): Promise<void> {
    const trail = await readTrail(this.#database)
    this.#wrong.push(...follow(this.#quiet, trail, this.#wishes, touched))
    this.#quiet = await readInstallation(this.#database, this.#wishes)
  }

  /** All processes admit until none finds more; then no startable activity may be left. */
  async #comeToRest(when: string): Promise<void> {
    await this.#untilNothingMoves()
    await this.#judgeTrail(new Set())
    const maintenance = { ...(await readMaintenance(this.#database)), superusers: await this.#superusers() }
    const reasons = new Map(
      await Promise.all(
        this.#quiet.activities.map(
          async ({ id }) => [id, await whyActivityWaits(this.#database, id, maintenance)] as const,
        ),
      ),
    )
    const counters = await inconsistencies(this.#database)
    this.#wrong.push(
      ...judgeQuiet(this.#quiet, reasons),
      ...counters.map(({ what, id, found }) => `counters: ${what} ${id}: ${found}`),
    )
    this.#wrong = this.#wrong.map(text => (text.startsWith('after') ? text : `${when}: ${text}`))
  }

  async #untilNothingMoves(): Promise<void> {
    for (let again = true; again; ) {
      const everywhere = Array.from({ length: this.#carriers.count }, (_, at) => at)
      const tasks = everywhere.map(at =>
        this.#carriers.order(at, { what: { do: 'admit' }, id: '', tag: '', wish: undefined }),
      )
      await this.#carriers.settled(tasks)
      this.#wrong.push(...tasks.flatMap(({ error }) => error ?? []))
      again = tasks.some(({ answer, error }) => error === undefined && answer !== 'no')
    }
  }

  /** Removes all obstacles, so that everything ends. */
  async #endAll(): Promise<void> {
    const limits = pools.map(pool => ({ do: 'limit', pool, limit: 2 }) as const)
    await this.#all([{ do: 'maintenance', mode: 'disabled' }, { do: 'clock', minutes: 1_000 }, ...limits])
    for (let rounds = 0; rounds < 100; rounds += 1) {
      const left = this.#quiet.activities.filter(isUnfinished)
      if (left.length === 0) break
      const each = (what: 'ready' | 'resume' | 'go on' | 'claim') =>
        left.map((_, which) => ({ do: what, which }) as const)
      await this.#all([...each('ready'), ...each('resume'), ...each('go on'), { do: 'timers' }])
      await this.#untilNothingMoves()
      await this.#all([...each('claim')])
      await this.#all(left.map((_, which) => ({ do: 'report', which, outcome: 'success' })))
      await this.#judgeTrail(new Set(left.map(({ id }) => id)))
      if (this.#wrong.length > 0) return
    }
    await this.#comeToRest('after the end')
    const stuck = this.#quiet.activities.filter(isUnfinished)
    this.#wrong.push(...stuck.map(({ number, status }) => `no. ${number} does not end, and is ${status}`))
    const untold = await transitionsWithoutEvent(this.#database)
    // The creator of an activity records its creation, which these histories leave out.
    this.#wrong.push(
      ...untold
        .filter(({ type }) => !type.endsWith(':create'))
        .map(({ what, type, expected, found }) => `${what} has ${type} ${found} times, not ${expected}`),
    )
  }

  async #all(whats: readonly What[]): Promise<void> {
    const tasks = whats.flatMap((what, process) => this.#begin({ what, process }, new Set()) ?? [])
    await this.#carriers.settled(tasks)
    this.#wrong.push(...tasks.flatMap(({ error }) => error ?? []))
  }

  async #superusers(): Promise<string[]> {
    return [...this.#quiet.superusers].map(user => idOfUser[user])
  }

  /** An empty installation: two slots a pool, no maintenance, one superuser. */
  async #clear(): Promise<void> {
    await this.#database.transaction(async tx => {
      // The product itself cannot delete all events.
      await tx.rows(sql`set local session_replication_role = replica`)
      await tx.rows(sql`truncate activities, runners, slot_claims, name_checks, events cascade`)
      await tx.count(sql`update slot_pools set used = 0, configured_limit = 2`)
      await tx.count(sql`update maintenance_mode set mode = 'disabled'`)
      await tx.count(sql`delete from testing.superusers`)
      await tx.count(sql`insert into testing.superusers values (${idOfUser.root})`)
      await tx.count(sql`update testing.clock set ahead = '0'`)
      await tx.count(sql`delete from testing.trail`)
    })
    this.#wishes = new Map()
    this.#wrong = []
    this.#quiet = await readInstallation(this.#database, this.#wishes)
  }
}
