import Type from 'typebox'
import { fromJson } from '#json/from-json.ts'
import { type Sql, sql } from '#platform/db/sql.ts'
import type { Query } from '#platform/jsonapi/query-string.ts'
import type { Resource } from '#platform/jsonapi/resource.ts'
import { all } from '#platform/jsonapi/select.ts'
import { type AnyLive, type Batch, type Feed, type FeedContext, live, type Message } from '#platform/live/live.ts'
import { type FeedPosition, feedBeginning, LogFeed } from './log-feed.tx.ts'
import { hasUnseen } from './log-following.store.ts'
import type { LogOwners } from './log-owners.port.ts'
import { logOf, type OwnerOfLog, ownerOfLog, type ReadableLog, readableLogs } from './readable-logs.tx.ts'

const tail = { default: 500, maximum: 10_000 } as const

const describedLines =
  'Lines of one attempt of a step as lists show them, in the order in which it wrote them. Each comes once. `meta.line_count` is the number of lines of the log so far, with these, and `meta.line` an index in it before which no line has moved. If `line` and the number of lines in the message add up to `line_count`, they are the last ones, and `line` is the index of the first; otherwise they belong before lines that came earlier, and the log has to be read again from `line` on. `meta.step_line` is the index of the first one in the log of its step.'

/** Live streams of logs: their last lines, and then each line as soon as it is stored. */
export const logLives = (owners: LogOwners, lines: Resource): AnyLive[] =>
  readableLogs(owners).map(log =>
    live<OwnerOfLog>({
      name: `${log.name}.log_live`,
      summary: `Lines of the log of ${log.of}, as they are written`,
      path: `${log.path}/log/live`,
      parameters: {
        tail: {
          schema: Type.Integer({ minimum: 0, maximum: tail.maximum, default: tail.default }),
          describe: 'Number of last lines with which the stream begins.',
        },
        ...log.parameters,
      },
      messages: { log_lines: describedLines },
      find: context => ownerOfLog(log, context),
      needs: ({ readPath }) => [{ right: 'read', path: readPath }],
      open: (owner, { query }, position) => new FollowedLog({ log, lines, owner, query }, position),
    }),
  )

interface Followed {
  readonly log: ReadableLog
  readonly lines: Resource
  readonly owner: OwnerOfLog
  readonly query: Query
}

interface State {
  readonly snapshot: string
  /** Whether the record whose log it is has ended; null if it is gone. */
  readonly ended: boolean | null
  /** Whether all activities that it was known to have made have ended. */
  readonly made_ended: boolean
  /** Text that changes whenever it, or a run that it made, makes another activity. */
  readonly version: string | null
}

interface Writer {
  readonly id: string
  readonly kind: string
  readonly final: boolean
}

/**
 * Feed of one log. Which activities write to the log of a run is queried only when the run has moved, and activities
 * that have ended are not looked at again, so that a long run with thousands of ended changes costs little to follow.
 */
class FollowedLog implements Feed {
  readonly #followed: Followed
  /** Id of the activity that the record is, or is a step of. */
  readonly #activity: string
  readonly #log: LogFeed
  readonly #batches: AsyncGenerator<Batch, Batch>
  /** Activities that may still write lines; at first, those that have ended as well. */
  #writers: readonly Writer[]
  readonly #done = new Set<string>()
  #look!: FeedContext

  constructor(followed: Followed, position: string | undefined) {
    this.#followed = followed
    const { log, lines, owner, query } = followed
    this.#activity = log.ofStep ? (owner['activity_id'] as string) : owner.id
    this.#writers = [{ id: this.#activity, kind: 'owner', final: false }]
    const fed = {
      of: () => this.#newLines(),
      log: (actor: FeedContext['actor']) => logOf(lines, log, owner, { actor, query }),
      tail: Number(query['tail'] ?? tail.default),
      hasPlaces: true,
      isOfStep: log.stepOf?.(owner, query) !== undefined,
    }
    this.#log = new LogFeed(fed, position === undefined ? feedBeginning : fromJson<FeedPosition>(position))
    this.#batches = this.#follow()
  }

  async read(look: FeedContext): Promise<Batch> {
    this.#look = look
    return (await this.#batches.next()).value
  }

  /**
   * The lines of each pass are those that the snapshot of its state shows. The activities that write are queried behind
   * it, so that none is missing whose lines it shows.
   */
  async *#follow(): AsyncGenerator<Batch, Batch> {
    for (let known: string | null | undefined; ; ) {
      const state = await this.#state()
      if (state.ended === null) return this.#batch([], { ended: true })
      const ended = this.#writers.filter(({ final }) => final)
      const isNew = this.#followed.log.made !== undefined && state.version !== known
      if (isNew) await this.#findWriters()
      const { database } = this.#look
      const { seen } = this.#log.at
      if (known === undefined || this.#log.isReading || (await hasUnseen(database, this.#newLines(), seen)))
        yield* this.#linesUpTo(state.snapshot)
      // All of their lines are among those up to this snapshot.
      for (const { id } of ended) this.#done.add(id)
      const isEnd = state.ended && !isNew && state.made_ended
      known = state.version
      const rest = this.#batch([], isEnd ? { ended: true } : isNew ? { more: true } : {})
      if (isEnd) return rest
      yield rest
    }
  }

  async #state(): Promise<State> {
    const { log, owner } = this.#followed
    const runs = this.#writers.filter(({ kind }) => kind !== 'change').map(({ id }) => id)
    const made = this.#writers.filter(({ id }) => id !== this.#activity).map(({ id }) => id)
    const found = await this.#look.database.one(sql<State>`
      select sluice_snapshot()::text as snapshot,
             (select o.final from ${log.ofStep ? sql`steps` : sql`activities`} o where o.id = ${owner.id}::uuid) as ended,
             not exists (select from activities m where m.id = any(${made}::uuid[]) and not m.final) as made_ended,
             (select string_agg(m.row_version || ' ' || m.updated_at, ',' order by m.id)
                from activities m where m.id = any(${runs}::uuid[])) as version`)
    return found!
  }

  async #findWriters(): Promise<void> {
    const { log, owner } = this.#followed
    const made = await this.#look.database.rows(
      sql<Writer>`select m.id, m.kind, m.final from activities m where m.id in (${log.made!(owner)})`,
    )
    this.#writers = [{ id: this.#activity, kind: 'owner', final: false }, ...made]
  }

  /** Condition on chunks `l` of the log that may be new. */
  #newLines(): Sql<boolean> {
    const { log, owner, query } = this.#followed
    const ids = this.#writers.map(({ id }) => id).filter(id => !this.#done.has(id))
    const within = log.within?.(owner, query)
    return sql<boolean>`${all([sql<boolean>`l.activity_id = any(${ids}::uuid[])`, ...(within ? [within] : [])])}`
  }

  async *#linesUpTo(snapshot: string): AsyncGenerator<Batch> {
    for await (const page of this.#log.upTo(this.#look, snapshot)) {
      const messages = page.map(
        ({ data, meta, at }): Message => ({ kind: 'log_lines', data: { data, meta }, position: JSON.stringify(at) }),
      )
      yield this.#batch(messages, { more: true })
    }
  }

  #batch(messages: readonly Message[], how: { more?: boolean; ended?: boolean }): Batch {
    return { messages, position: JSON.stringify(this.#log.at), ...how }
  }
}
