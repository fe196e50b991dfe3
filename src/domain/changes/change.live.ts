import { createHash } from 'node:crypto'
import Type from 'typebox'
import { fromJson } from '#json/from-json.ts'
import { liesAhead } from '#platform/db/clock.ts'
import { type Sql, sql } from '#platform/db/sql.ts'
import type { Listed } from '#platform/jsonapi/read.ts'
import { versionName } from '#platform/jsonapi/select.ts'
import { type AnyLive, type Batch, type Feed, type Look, live, type Message } from '#platform/live/live.ts'
import { endOfPage, eventsBetween, hasEventsAfter } from '../events/index.ts'
import { isOfStandingNode } from '../steps/index.ts'
import { byChunk, keyOf, linesOfChunks, nextChunks, nothingSeen, type Reading, unseen } from './log-following.ts'

/** One change while it runs: its steps as they go on, what they write, and its events. */
export const changeLive: AnyLive = activityLive({
  kind: 'change',
  step: 'step',
  collection: 'changes',
  named: 'change',
})

/** One workflow run while it runs. What its changes write stands in their own streams. */
export const workflowRunLive: AnyLive = activityLive({
  kind: 'workflow_run',
  step: 'workflow_step',
  collection: 'workflow_runs',
  named: 'run',
})

interface Subject {
  readonly kind: 'change' | 'workflow_run'
  readonly step: 'step' | 'workflow_step'
  readonly collection: string
  /** In words. */
  readonly named: string
}

function activityLive(subject: Subject): AnyLive {
  const { kind, step, collection, named } = subject
  return live<{ id: string; readPath: string }>({
    name: `${collection}.live`,
    summary: `A ${named} as it goes on: its steps, log lines and events`,
    path: `/api/${collection}/:id/live`,
    parameters: {
      log_lines: {
        schema: Type.Boolean(),
        describe: 'Whether log lines are sent too. They are, unless this is false.',
      },
    },
    messages: {
      [kind]: `The ${named} as lists show it: at first, and whenever more of it differs than when it last changed.`,
      [step]:
        'A step as lists show it: each at first, then whenever it has changed. One that has ended comes behind its lines.',
      log_lines:
        'Lines of one attempt of a step as lists show them, in the order in which it wrote them. Each comes once.',
      event: `An event of the ${named} as lists show it, in the order in which they were sealed. Each comes once.`,
    },
    find: ({ database, params }) =>
      database.one(sql<{ id: string; readPath: string }>`
        select a.id, a.path as "readPath"
          from activities a
         where a.id = ${params['id']}::uuid and a.kind = ${kind} and ${isOfStandingNode(sql`a.node_id`)}`),
    needs: ({ readPath }) => [{ right: 'read', path: readPath }],
    open: ({ id }, { query }, position) => new ActivityFeed(subject, id, query['log_lines'] !== 'false', position),
  })
}

interface Position {
  /** The number of the last event. */
  readonly events: number
  /** When the newest of the steps that were sent had changed. Those of one activity change under its lock, one after the other. */
  readonly steps: string
  readonly log: Reading
  /** A hash of the change as it was sent. */
  readonly change: string
}

const beginning: Position = { events: 0, steps: '-infinity', log: { seen: nothingSeen }, change: '' }
const page = 500

interface State {
  readonly final: boolean
  readonly updated_at: string
  readonly row_version: number
  /** It moved last before the steps that were sent: the clock was set back meanwhile. */
  readonly set_back: boolean
  /** The number of the last event that is sealed, of all. */
  readonly sealed: number
  readonly snapshot: string
  readonly wrote: boolean
}

class ActivityFeed implements Feed {
  readonly #subject: Subject
  readonly #id: string
  readonly #withLog: boolean
  readonly #batches: AsyncGenerator<Batch, Batch>
  /** Versions of the steps that were sent. */
  readonly #versions = new Map<string, unknown>()
  #at: Position
  #look!: Look

  constructor(subject: Subject, id: string, withLog: boolean, position: string | undefined) {
    this.#subject = subject
    this.#id = id
    this.#withLog = withLog
    this.#at = position === undefined ? beginning : fromJson(position)
    this.#batches = this.#follow()
  }

  async read(look: Look): Promise<Batch> {
    this.#look = look
    return (await this.#batches.next()).value
  }

  /**
   * One pass after the other over what is new. The state that a pass begins with says up to where: lines by its snapshot,
   * events by their number, and steps that have ended by when they did, so that they come behind all their lines.
   */
  async *#follow(): AsyncGenerator<Batch, Batch> {
    for (let known = ''; ; ) {
      const state = await this.#state()
      if (!state) return this.#batch([], { ended: true })
      const version = `${state.row_version} ${state.updated_at}`
      const moved = version !== known
      if (state.set_back) this.#at = { ...this.#at, steps: beginning.steps }
      const which = stepsToTell(state, known === '' || state.set_back)
      if (moved) yield* this.#changeRecord(sql`not a.final`)
      if (moved) yield* this.#stepRecords(which.goingOn)
      if (state.wrote || this.#at.log.to !== undefined) yield* this.#logLines(state)
      yield* this.#events(state)
      if (moved) {
        yield* this.#stepRecords(which.ended)
        this.#at = { ...this.#at, steps: state.updated_at }
        if (state.final) yield* this.#changeRecord(sql`a.final`)
      }
      known = version
      const ended = state.final && !(await hasEventsAfter(this.#look.database, this.#id, this.#at.events))
      const rest = this.#batch([], { ended })
      if (ended) return rest
      yield rest
    }
  }

  #state(): Promise<State | undefined> {
    const { steps, log } = this.#at
    const { seen } = log
    const wrote = this.#withLog ? sql`exists (select from log_chunks c where ${unseen(sql`a.id`, seen)})` : sql`false`
    return this.#look.database.one(sql<State>`
      select a.final, a.updated_at, a.row_version, a.updated_at < ${steps}::timestamptz as set_back,
             h.seq as sealed, sluice_snapshot()::text as snapshot, ${wrote} as wrote
        from activities a cross join audit_head h
       where a.id = ${this.#id}::uuid`)
  }

  async *#changeRecord(which: Sql): AsyncGenerator<Batch> {
    const [found] = await this.#look.listed(this.#subject.kind, {
      which: sql<boolean>`a.id = ${this.#id}::uuid and ${which}`,
      order: sql`a.id`,
    })
    if (!found) return
    const change = hashOf(found)
    if (change === this.#at.change) return
    this.#at = { ...this.#at, change }
    yield this.#batch([{ kind: this.#subject.kind, data: { data: found.shown } }], { more: true })
  }

  async *#stepRecords(which: Sql): AsyncGenerator<Batch> {
    const { steps } = this.#at
    for (let after = ''; ; ) {
      const found = await this.#look.listed(this.#subject.step, {
        which: sql<boolean>`s.activity_id = ${this.#id}::uuid and s.tree_order > ${after}
                            and s.updated_at > ${steps}::timestamptz and ${which}`,
        order: sql`s.tree_order`,
        limit: page,
      })
      const changed = found.filter(({ row }) => this.#versions.get(row.id) !== row[versionName])
      for (const { row } of changed) this.#versions.set(row.id, row[versionName])
      if (changed.length > 0) {
        yield this.#batch(
          changed.map(({ shown }) => ({ kind: this.#subject.step, data: { data: shown } })),
          { more: true },
        )
      }
      if (found.length < page) return
      after = String(found.at(-1)!.row['tree_order'])
    }
  }

  async *#logLines({ snapshot }: State): AsyncGenerator<Batch> {
    const { to } = this.#at.log
    if (to !== undefined) yield* this.#logLinesUpTo(to)
    yield* this.#logLinesUpTo(snapshot)
  }

  async *#logLinesUpTo(to: string): AsyncGenerator<Batch> {
    for (;;) {
      const { seen, after } = this.#at.log
      const { chunks, whole } = await nextChunks(this.#look.database, this.#id, { seen, to, ...(after && { after }) })
      const lines = chunks.length > 0 ? await this.#look.listed('log_line', linesOfChunks(chunks)) : []
      const linesOf = byChunk(lines)
      const messages = chunks.flatMap((chunk, index): Message[] => {
        const last = whole && index === chunks.length - 1
        this.#at = { ...this.#at, log: last ? { seen: to } : { seen, to, after: keyOf(chunk) } }
        const data = linesOf(chunk).map(({ shown }) => shown)
        return data.length > 0 ? [{ kind: 'log_lines', data: { data }, position: this.#written() }] : []
      })
      if (whole) this.#at = { ...this.#at, log: { seen: to } }
      if (messages.length > 0) yield this.#batch(messages, { more: true })
      if (whole) return
    }
  }

  async *#events({ sealed }: State): AsyncGenerator<Batch> {
    while (this.#at.events < sealed) {
      const { events } = this.#at
      const end = await endOfPage(this.#look.database, events, sealed, this.#id)
      const found = await this.#look.listed('event', eventsBetween(events, end, this.#id))
      const messages = found.map(({ row, shown }): Message => {
        this.#at = { ...this.#at, events: Number(row['seq']) }
        return { kind: 'event', data: { data: shown }, position: this.#written() }
      })
      this.#at = { ...this.#at, events: end }
      if (messages.length > 0) yield this.#batch(messages, { more: true })
    }
  }

  #batch(messages: readonly Message[], how: { more?: boolean; ended?: boolean }): Batch {
    return { messages, position: this.#written(), ...how }
  }

  #written = (): string => JSON.stringify(this.#at)
}

/**
 * Which steps one pass tells of: those that go on, and behind the lines those that had ended when it began. Behind a clock
 * that was set back times lie ahead for as long as that was: steps with such are told `once`, and not read with each pass.
 */
function stepsToTell({ final, updated_at }: State, once: boolean): { goingOn: Sql<boolean>; ended: Sql<boolean> } {
  const ahead = liesAhead(sql`s.updated_at`)
  const byThen = sql<boolean>`s.updated_at <= ${updated_at}::timestamptz`
  return {
    goingOn: once ? sql`not s.final` : sql`not s.final and not ${ahead}`,
    ended: final ? sql`s.final` : sql`s.final and (${once ? sql`${byThen} or ${ahead}` : byThen})`,
  }
}

/** Every step that moves changes the time of its change: that alone is no news. */
export function hashOf({ shown }: Listed): string {
  const { updated_at: _, ...attributes } = shown.attributes
  return createHash('sha256')
    .update(JSON.stringify({ ...shown, attributes }))
    .digest('base64url')
    .slice(0, 12)
}
