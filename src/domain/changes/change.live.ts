import { createHash } from 'node:crypto'
import Type from 'typebox'
import { fromJson } from '#json/from-json.ts'
import { isInFuture } from '#platform/db/clock.ts'
import { type Sql, sql } from '#platform/db/sql.ts'
import type { Query } from '#platform/jsonapi/query-string.ts'
import type { Listed } from '#platform/jsonapi/read.ts'
import type { Row } from '#platform/jsonapi/resource.ts'
import { versionName } from '#platform/jsonapi/select.ts'
import { type AnyLive, type Batch, type Feed, type FeedContext, live, type Message } from '#platform/live/live.ts'
import { endOfPage, eventsBetween, hasEventsAfter } from '../events/index.ts'
import { type FeedPosition, feedBeginning, LogFeed, logOfActivity, unseen } from '../logs/index.ts'
import { isOfExistingNode } from '../nodes/index.ts'
import { asTheyMoved, hasEnded, inTreeOrder, type StepOrder } from './live-step-order.sql.ts'

const describedLines =
  'Lines of one attempt of a step as lists show them, in the order in which it wrote them. Each comes once. `meta.step_line` is the index of the first one in the log of the step (`GET …/log`).'

const describedPlaces =
  '`meta.line_count` is the number of lines of the change’s log so far, with these, and `meta.line` an index in it before which no line has moved. If `line` and the number of lines in the message add up to `line_count`, they are the last ones, and `line` is the index of the first; otherwise they belong before lines that came earlier, and the log has to be read again from `line` on.'

/** Live stream of one change while it runs: its steps as they progress, their log lines, and its events. */
export const changeLive: AnyLive = activityLive({
  kind: 'change',
  step: 'step',
  collection: 'changes',
  named: 'change',
})

/** Live stream of one workflow run while it runs. The log lines of its changes are in their own streams. */
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
  /** Name of the kind of activity, in words. */
  readonly named: string
}

function activityLive(subject: Subject): AnyLive {
  const { kind, step, collection, named } = subject
  return live<{ id: string; readPath: string }>({
    name: `${collection}.live`,
    summary: `A ${named} as it progresses: its steps, log lines and events`,
    path: `/api/${collection}/:id/live`,
    parameters: {
      log_lines: {
        schema: Type.Union([Type.Boolean(), Type.Integer({ minimum: 0, maximum: 10_000 })]),
        describe:
          'Whether log lines are included; default true. With a number, the stream begins with as many of the last lines of the log instead of all.',
      },
    },
    messages: {
      [kind]: `The ${named} as lists show it: at first, and whenever more of it differs than when it last changed.`,
      [step]:
        'A step as lists show it: each at first, then whenever it has changed, in the order in which they did. One that has ended comes behind its lines.',
      log_lines: kind === 'change' ? `${describedLines} ${describedPlaces}` : describedLines,
      event: `An event of the ${named} as lists show it, in the order in which they were sealed. Each comes once.`,
    },
    find: ({ database, params }) =>
      database.one(sql<{ id: string; readPath: string }>`
        select a.id, a.path as "readPath"
          from activities a
         where a.id = ${params['id']}::uuid and a.kind = ${kind} and ${isOfExistingNode(sql`a.node_id`)}`),
    needs: ({ readPath }) => [{ right: 'read', path: readPath }],
    open: ({ id }, { query }, position) => new ActivityFeed(subject, id, query['log_lines'], position),
  })
}

interface Position {
  /** The number of the last event. */
  readonly events: number
  /**
   * Time of the latest change among the sent steps. Steps of one activity change under its lock, one after the other.
   */
  readonly steps: string
  readonly log: FeedPosition
  /** Hash of the change as last sent. */
  readonly change: string
}

const beginning: Position = { events: 0, steps: '-infinity', log: feedBeginning, change: '' }
const page = 500

interface Written {
  readonly snapshot: string
  /** Whether its log has unsent lines. */
  readonly wrote: boolean
}

interface State extends Written {
  readonly final: boolean
  readonly updated_at: string
  readonly row_version: number
  /** Whether it moved before the last steps that were sent: the clock was set back in between. */
  readonly set_back: boolean
  /** Number of the last sealed event of the installation. */
  readonly sealed: number
}

class ActivityFeed implements Feed {
  readonly #subject: Subject
  readonly #id: string
  readonly #withLog: boolean
  readonly #log: LogFeed
  readonly #batches: AsyncGenerator<Batch, Batch>
  /** Versions of the steps that were sent. */
  readonly #versions = new Map<string, unknown>()
  #at: Position
  #look!: FeedContext

  /** @param logLines the parameter `log_lines` */
  constructor(subject: Subject, id: string, logLines: Query[string] | undefined, position: string | undefined) {
    this.#subject = subject
    this.#id = id
    this.#withLog = logLines !== 'false'
    this.#at = position === undefined ? beginning : fromJson(position)
    const tail = logLines === undefined || ['true', 'false'].includes(String(logLines)) ? undefined : Number(logLines)
    this.#log = new LogFeed({ ...logOfActivity(id), tail, hasPlaces: subject.kind === 'change' }, this.#at.log)
    this.#batches = this.#follow()
  }

  async read(look: FeedContext): Promise<Batch> {
    this.#look = look
    return (await this.#batches.next()).value
  }

  /**
   * Follows changes, one pass after the other. Steps are read as they are, in the order in which they moved, and after
   * them all lines that the ended ones had written. Times do not limit the lines: a transition stamps its steps before
   * or after their activity, and an end that was held back because of that would come with the next transition, seconds
   * late.
   */
  async *#follow(): AsyncGenerator<Batch, Batch> {
    for (let known = ''; ; ) {
      const state = await this.#state()
      if (!state) return this.#batch([], { ended: true })
      const version = `${state.row_version} ${state.updated_at}`
      const moved = version !== known
      if (!state.wrote) this.#noLinesAt(state.snapshot)
      if (state.set_back) this.#at = { ...this.#at, steps: beginning.steps }
      if (moved) yield* this.#changeRecord(sql`not a.final`)
      const { seen } = this.#at.log
      if (moved) yield* this.#movedSteps(known === '' || state.set_back)
      // Lines that came with the end of a step have been read further than this pass expected.
      if (this.#at.log.seen !== seen) yield* this.#linesByNow()
      else if (state.wrote || this.#log.isReading) yield* this.#logLines(state.snapshot)
      yield* this.#events(state)
      if (moved) {
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
    const { steps } = this.#at
    return this.#look.database.one(sql<State>`
      select a.final, a.updated_at, a.row_version, a.updated_at < ${steps}::timestamptz as set_back,
             h.seq as sealed, ${this.#written()}
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

  /**
   * Steps that have moved: at first all of them, unfinished ones first. After a clock was set back, times are in the
   * future for as long as that was: steps with such times are sent `once`, and not read with each pass.
   */
  async *#movedSteps(once: boolean): AsyncGenerator<Batch> {
    if (this.#at.steps === beginning.steps) {
      yield* this.#stepRecords(sql`not s.final`, inTreeOrder)
      yield* this.#stepRecords(sql`s.final`, inTreeOrder)
    } else {
      yield* this.#stepRecords(once ? sql`true` : sql`not ${isInFuture(sql`s.updated_at`)}`, asTheyMoved)
    }
  }

  async *#stepRecords(which: Sql, order: StepOrder): AsyncGenerator<Batch> {
    const { steps } = this.#at
    for (let last: Row | undefined; ; ) {
      const found = await this.#look.listed(this.#subject.step, {
        which: sql<boolean>`s.activity_id = ${this.#id}::uuid and s.updated_at > ${steps}::timestamptz
                            and ${which} ${last ? order.behind(last) : sql``}`,
        order: order.by,
        limit: page,
      })
      const changed = order.sorted(found.filter(({ row }) => this.#versions.get(row.id) !== row[versionName]))
      const firstEnded = changed.findIndex(hasEnded)
      yield* this.#tell(firstEnded < 0 ? changed : changed.slice(0, firstEnded))
      if (firstEnded >= 0) {
        yield* this.#linesByNow()
        yield* this.#tell(changed.slice(firstEnded))
      }
      if (found.length < page) return
      last = found.at(-1)!.row
    }
  }

  async *#tell(steps: readonly Listed[]): AsyncGenerator<Batch> {
    for (const { row } of steps) this.#versions.set(row.id, row[versionName])
    const messages = steps.map(({ shown }): Message => ({ kind: this.#subject.step, data: { data: shown } }))
    if (messages.length > 0) yield this.#batch(messages, { more: true })
  }

  /** Sends the lines written before the end of steps that have been read: lines are stored before the end is. */
  async *#linesByNow(): AsyncGenerator<Batch> {
    if (!this.#withLog) return
    const now = await this.#look.database.one(sql<Written>`
      select ${this.#written()} from activities a where a.id = ${this.#id}::uuid`)
    if (now && (now.wrote || this.#log.isReading)) yield* this.#logLines(now.snapshot)
  }

  /** Columns of an activity `a`: the current snapshot, and whether its log has new lines. */
  #written(): Sql {
    const { seen } = this.#at.log
    const wrote = this.#withLog ? sql`exists (select from log_chunks l where ${unseen(sql`a.id`, seen)})` : sql`false`
    return sql`sluice_snapshot()::text as snapshot, ${wrote} as wrote`
  }

  #noLinesAt(snapshot: string): void {
    this.#log.hasNoneAt(snapshot)
    this.#at = { ...this.#at, log: this.#log.at }
  }

  async *#logLines(snapshot: string): AsyncGenerator<Batch> {
    for await (const page of this.#log.upTo(this.#look, snapshot)) {
      const messages = page.map(({ data, meta, at }): Message => {
        this.#at = { ...this.#at, log: at }
        return { kind: 'log_lines', data: { data, meta }, position: this.#position() }
      })
      this.#at = { ...this.#at, log: this.#log.at }
      yield this.#batch(messages, { more: true })
    }
    this.#at = { ...this.#at, log: this.#log.at }
  }

  async *#events({ sealed }: State): AsyncGenerator<Batch> {
    while (this.#at.events < sealed) {
      const { events } = this.#at
      const end = await endOfPage(this.#look.database, events, sealed, this.#id)
      const found = await this.#look.listed('event', eventsBetween(events, end, this.#id))
      const messages = found.map(({ row, shown }): Message => {
        this.#at = { ...this.#at, events: Number(row['seq']) }
        return { kind: 'event', data: { data: shown }, position: this.#position() }
      })
      this.#at = { ...this.#at, events: end }
      if (messages.length > 0) yield this.#batch(messages, { more: true })
    }
  }

  #batch(messages: readonly Message[], how: { more?: boolean; ended?: boolean }): Batch {
    return { messages, position: this.#position(), ...how }
  }

  #position = (): string => JSON.stringify(this.#at)
}

/**
 * Hash of a record as it is shown, without `updated_at`: every step that moves changes the time of its change, which
 * alone is not reported.
 */
export function hashOf({ shown }: Listed): string {
  const { updated_at: _, ...attributes } = shown.attributes
  return createHash('sha256')
    .update(JSON.stringify({ ...shown, attributes }))
    .digest('base64url')
    .slice(0, 12)
}
