import { hash } from 'node:crypto'
import { fromJson } from '#json/from-json.ts'
import type { Actor } from '#platform/actor.ts'
import type { Queries } from '#platform/db/database.ts'
import { compile, sql } from '#platform/db/sql.ts'
import { type AnyLive, type Batch, type Feed, type FeedContext, live, type Message } from '#platform/live/live.ts'
import { nodesBetween } from '../events/index.ts'

/** Live stream of the summaries of all nodes that the caller may read. */
export const nodeSummariesLive: AnyLive = live({
  name: 'node_summaries.live',
  summary: 'Live stream of the summaries of all nodes',
  path: '/api/nodes/live',
  messages: {
    node_summary:
      'A node as `GET /api/nodes` lists it, when it was created, changed or archived, or when an activity or a background task on it began, waits or ended. It may come again as it was.',
    gone: 'A node was destroyed: `{type, id}`.',
    reset: 'What the caller may read has changed, or messages were missed: read the list again.',
  },
  find: async () => ({}),
  needs: () => [],
  open: async (_, { database, actor }, position) =>
    new NodesFeed(position === undefined ? await now(database, actor) : fromJson(position)),
})

interface Position {
  /** Number of the last event that was read. */
  readonly events: number
  /** Time of the last poll, by the database's clock. */
  readonly at: string
  /** Ids of nodes with a background task, whose end has no event; null if they are too many to be named. */
  readonly tasks: readonly string[] | null
  /** Hash of what the caller may read. */
  readonly visible: string
}

const now = async (queries: Queries, { rights }: Actor): Promise<Position> => {
  const head = await headOf(queries)
  return { ...head, tasks: positionOfTasks(await nodesWithTasks(queries)), visible: visibleIn(rights) }
}

const headOf = async (queries: Queries): Promise<Pick<Position, 'events' | 'at'>> =>
  (await queries.one(sql<Pick<Position, 'events' | 'at'>>`select seq as events, sluice_now() as at from audit_head`))!

/** Maximum number of events, and of nodes, read at once. */
const page = 1_000
/** Number of nodes with a background task that a position names. */
const namedTasks = 20
/** Number of activities in progress that are remembered; the end of others is found by its event. */
const remembered = 10_000

/** Activity in progress, with a text that differs whenever it has moved. */
interface Moving {
  readonly id: string
  readonly node_id: string
  readonly path: string
  readonly mark: string
}

/** Paths of nodes by their ids; empty where unknown. */
type Nodes = Map<string, string>

class NodesFeed implements Feed {
  #at: Position
  /** Position once all of `#due` is sent. */
  #reached: Position
  /** Nodes to be read. */
  readonly #due: Nodes = new Map()
  readonly #moving = new Map<string, Moving>()
  #tasks: Nodes | undefined
  #rights: Actor['rights'] | undefined
  #visible: string

  constructor(position: Position) {
    this.#at = position
    this.#reached = position
    this.#visible = position.visible
  }

  async read({ database, actor, listed }: FeedContext): Promise<Batch> {
    const messages: Message[] = []
    if (this.#hasOtherRights(actor)) messages.push({ kind: 'reset', data: {} })
    let more = false
    if (this.#due.size === 0) {
      const found = await this.#find(database)
      more = found.more
      if (found.isReset) messages.push({ kind: 'reset', data: {} })
    }
    const ids = [...this.#due.keys()].slice(0, page)
    const shown = new Set<string>()
    if (ids.length > 0) {
      const which = sql<boolean>`n.id = any(${ids}::uuid[])`
      for (const { row, shown: data } of await listed('node_summary', { which, order: sql`n.path` })) {
        shown.add(row.id)
        messages.push({ kind: 'node_summary', data: { data } })
      }
    }
    for (const id of ids) {
      // A node that the caller may read is listed until it is destroyed.
      const path = this.#due.get(id)
      if (!shown.has(id) && path && actor.rights.may('read', path))
        messages.push({ kind: 'gone', data: { data: { type: 'node_summary', id } } })
      this.#due.delete(id)
    }
    if (this.#due.size === 0) this.#at = this.#reached
    const position = JSON.stringify({ ...this.#at, visible: this.#visible })
    const last = messages.pop()
    if (last) messages.push({ ...last, position })
    return { messages, position, more: more || this.#due.size > 0 }
  }

  /** Finds the nodes whose summaries may have changed, and notes them as due. */
  async #find(database: Queries): Promise<{ more: boolean; isReset: boolean }> {
    const head = await headOf(database)
    const events = Math.min(head.events, this.#at.events + page)
    const add = (id: string, path: string) => void this.#due.set(id, path)
    if (events > this.#at.events)
      for (const { id, path } of await nodesBetween(database, this.#at.events, events)) add(id, path)
    for (const { node_id: id, path } of await this.#moved(database)) add(id, path)
    const tasks = await nodesWithTasks(database)
    const isReset = this.#tasks === undefined && this.#at.tasks === null
    const before = this.#tasks ?? new Map(this.#at.tasks?.map(id => [id, '']))
    for (const [id, path] of tasks) if (!before.has(id)) add(id, path)
    for (const [id, path] of before) if (!tasks.has(id)) add(id, path)
    this.#tasks = tasks
    this.#reached = { ...this.#reached, events, at: head.at, tasks: positionOfTasks(tasks) }
    return { more: events < head.events, isReset }
  }

  /** Activities that began, moved or ended since the last read. */
  async #moved(database: Queries): Promise<Moving[]> {
    const current = await movingSince(database, this.#at.at)
    const moved = current.filter(({ id, mark }) => this.#moving.get(id)?.mark !== mark)
    const ids = new Set(current.map(({ id }) => id))
    const ended = await endedAmong(
      database,
      [...this.#moving.keys()].filter(id => !ids.has(id)),
    )
    for (const id of ended) {
      moved.push(this.#moving.get(id)!)
      this.#moving.delete(id)
    }
    for (const each of current) {
      this.#moving.delete(each.id)
      this.#moving.set(each.id, each)
    }
    for (const oldest of this.#moving.keys()) {
      if (this.#moving.size <= remembered) break
      this.#moving.delete(oldest)
    }
    return moved
  }

  /** Whether the caller may read other nodes than at the last read. */
  #hasOtherRights({ rights }: Actor): boolean {
    if (rights === this.#rights) return false
    this.#rights = rights
    // Compared by the condition: whenever the rights of any user change, those of all users are compiled again.
    const visible = visibleIn(rights)
    if (visible === this.#visible) return false
    this.#visible = visible
    return true
  }
}

function visibleIn(rights: Actor['rights']): string {
  if (rights.superuser) return 'all'
  const { text, values } = compile(rights.visible({ projectId: sql`n.project_id`, path: sql`n.path` }))
  return hash('sha256', JSON.stringify([text, values]))
}

/**
 * Activities in progress that have moved: the begin and end of waiting have no events. Reads from a minute earlier than
 * requested, because a transaction that wrote a time before a read may have ended after it. The kinds are named for the
 * index, which begins with them.
 */
const movingSince = (queries: Queries, since: string): Promise<Moving[]> =>
  queries.rows(sql<Moving>`
    select id, node_id, path, concat_ws(' ', updated_at, status, n_waiting) as mark
      from activities
     where not final and kind = any('{change,workflow_run}') and status in ('initializing', 'running', 'waiting', 'queued')
       and updated_at > ${since}::timestamptz - interval '1 minute'`)

/** Selects the activities among these that have ended or are purged. */
async function endedAmong(queries: Queries, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return []
  const rows = await queries.rows(sql<{ id: string }>`
    select id from activities where id = any(${[...ids]}::uuid[]) and not final`)
  const left = new Set(rows.map(({ id }) => id))
  return ids.filter(id => !left.has(id))
}

async function nodesWithTasks(queries: Queries): Promise<Nodes> {
  const rows = await queries.rows(sql<{ id: string; path: string }>`
    select distinct n.id, n.path
      from node_background_tasks b join nodes n on n.id = b.node_id
     where b.status_code in ('initializing', 'running')`)
  return new Map(rows.map(({ id, path }) => [id, path]))
}

const positionOfTasks = (tasks: Nodes): Position['tasks'] =>
  tasks.size > namedTasks ? null : [...tasks.keys()].toSorted()
