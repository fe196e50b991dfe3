import { readFileSync } from 'node:fs'
import pg from 'pg'
import { withClient } from './installation.ts'
import type { RecordedStatement } from './statement-observer.ts'

/** Options of the service's own connections for statements that are transactions. */
const options = '-c plan_cache_mode=force_generic_plan -c enable_seqscan=off'

/** Names in a recorded transaction, to be replaced by those of the same transaction of another step. */
interface Names {
  activity: string
  runner: string
  root: string
  ended: string
  next: string
  fence: number
  /** The transaction that wrote the activity's row. */
  seen: string
}

interface Replayed {
  readonly activity: string
  readonly runner: string
  readonly root: string
  readonly steps: readonly string[]
  at: number
  fence: number
  seen: string
}

/**
 * Steps a second of the same statements that the service sends for a step, without runners and without the service's
 * work between them: one recorded transaction, sent again for the steps of changes whose first step is running, over as
 * many connections as the service has.
 */
export async function sameSqlRate(given: {
  url: string
  ownerUrl: string
  notes: string
  recordedActivity: string
  activities: readonly string[]
  connections: number
}): Promise<number> {
  const { statements, names } = await recordedStep(given.ownerUrl, given.notes, given.recordedActivity)
  const changes: Replayed[] = []
  // One after the other: the server has connections for the service and few more.
  for (const id of given.activities) changes.push(await changeToReplay(given.ownerUrl, id))
  const clients = Array.from(
    { length: given.connections },
    () => new pg.Client({ connectionString: given.url, pipeline: true, options } as pg.ClientConfig),
  )
  await Promise.all(clients.map(client => client.connect()))
  const total = changes.reduce((sum, change) => sum + change.steps.length - 2, 0)
  const queue = [...changes]
  let done = 0
  let [from, until] = [0, 0]
  const work = async (client: pg.Client) => {
    for (let change = queue.shift(); change; change = queue.shift()) {
      await sendAgain(client, statements, names, change)
      done += 1
      // The middle half, as for the service.
      if (done === Math.floor(total / 4)) from = performance.now()
      if (done === Math.floor((total * 3) / 4)) until = performance.now()
      if (change.at < change.steps.length - 2) queue.push(change)
    }
  }
  try {
    await Promise.all(clients.map(work))
  } finally {
    await Promise.all(clients.map(client => client.end()))
  }
  return ((Math.floor((total * 3) / 4) - Math.floor(total / 4)) * 1_000) / (until - from)
}

/**
 * A transaction from the middle of the change recorded last: its statements are prepared, and its fence is no small
 * number.
 */
async function recordedStep(ownerUrl: string, notes: string, activity: string) {
  const recorded = readFileSync(notes, 'utf8').trimEnd().split('\n')
  const statements = JSON.parse(recorded[Math.floor(recorded.length * 0.75)]!) as RecordedStatement[]
  const change = await changeToReplay(ownerUrl, activity)
  const said = statements.flatMap(({ values }) => values.flat())
  const at = change.steps.findIndex(id => said.includes(id))
  const [ended, next] = [change.steps[at]!, change.steps[at + 1]!]
  const fence = await fenceOf(ownerUrl, ended)
  if (!said.includes(next) || !said.includes(fence))
    throw new Error('the recorded transaction is no step that another follows')
  // In the statement it follows the activity's id.
  const seen = said[said.indexOf(activity) + 1] as string
  return { statements, names: { ...change, ended, next, fence, seen } satisfies Names }
}

async function changeToReplay(ownerUrl: string, activity: string): Promise<Replayed> {
  return withClient(ownerUrl, async client => {
    const { rows } = await client.query(
      `select a.root_step_id as root, a.xmin::text as seen, r.id as runner, array_agg(s.id order by s.tree_order) as steps
         from activities a
         join steps s on s.activity_id = a.id and s.parent_id = a.root_step_id
         join runners r on r.activity_id = a.id
        where a.id = $1
        group by a.id, r.id`,
      [activity],
    )
    const { root, seen, runner, steps } = rows[0] as { root: string; seen: string; runner: string; steps: string }
    const ids = Array.isArray(steps) ? steps : steps.slice(1, -1).split(',')
    return { activity, runner, root, seen, steps: ids, at: 0, fence: await fenceOf(ownerUrl, ids[0]!) }
  })
}

const fenceOf = (ownerUrl: string, step: string): Promise<number> =>
  withClient(ownerUrl, async client => {
    const { rows } = await client.query('select fence from steps where id = $1', [step])
    return Number(rows[0].fence)
  })

async function sendAgain(
  client: pg.Client,
  statements: readonly RecordedStatement[],
  recorded: Names,
  change: Replayed,
): Promise<void> {
  const next = change.steps[change.at + 1]!
  const others = new Map<unknown, unknown>([
    [recorded.activity, change.activity],
    [recorded.runner, change.runner],
    [recorded.root, change.root],
    [recorded.ended, change.steps[change.at]!],
    [recorded.next, next],
    [recorded.fence, change.fence],
    [recorded.seen, change.seen],
  ])
  const own = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(own)
    if (typeof value === 'object' && value !== null) return Buffer.from((value as { hex: string }).hex, 'hex')
    return others.get(value) ?? value
  }
  const turns = Map.groupBy(statements, ({ turn }) => turn)
  for (const turn of turns.values()) {
    const answers = await Promise.all(
      turn.map(({ name, text, values }) => client.query({ text, ...(name && { name }), values: values.map(own) })),
    )
    const claimed = answers.flatMap(({ rows }) => rows ?? []).find(row => row.id === next && Number(row.fence) > 0)
    if (claimed) [change.fence, change.seen] = [Number(claimed.fence), claimed.seen]
    else throw new Error('what was sent again did nothing')
  }
  change.at += 1
}
