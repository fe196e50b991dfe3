import { randomUUID } from 'node:crypto'
import { sql } from '../../src/platform/db/sql.ts'
import type { FailureWorld } from './world.ts'

/** Retryable activities: a change that failed once, or a cancelled run; the retry succeeds. */
export type Retried = 'change' | 'workflow_run'

/** Creates one, and waits for its end; returns its id. */
export const endedBadly: Readonly<Record<Retried, (world: FailureWorld) => Promise<string>>> = {
  change: async world => {
    const id = await world.change({ action: 'retried', overrides: { mark: randomUUID() } })
    world.expected.set(id, { ends: ['error'], undisturbed: true })
    await world.ended([id])
    return id
  },
  workflow_run: async world => {
    const id = await world.runs.begin()
    await world.runs.make(id, 2)
    await world.ask('DELETE', `/api/workflow_runs/${id}`)
    await world.runs.end(id, 'cancelled')
    return id
  },
}

/** Requests a retry, repeatedly if necessary: with an Idempotency-Key it is created once. */
export async function retry(world: FailureWorld, type: Retried, id: string): Promise<string> {
  const attributes = { retry: true }
  const asked = world.ask('POST', `/api/${type}s`, {
    key: randomUUID(),
    attributes,
    relationships: { [type]: { data: { type, id } } },
  })
  return ((await asked) as { data: { id: string } }).data.id
}

/** The stored retries. */
export async function retriesOf({ database }: FailureWorld, id: string): Promise<string[]> {
  const rows = await database.rows(sql<{ id: string }>`
    select id from changes where retry_of = ${id}::uuid
    union all
    select id from workflow_runs where retry_of = ${id}::uuid`)
  return rows.map(each => each.id)
}

export async function retryEnds(world: FailureWorld, type: Retried, id: string): Promise<void> {
  if (type === 'workflow_run') return world.runs.end(id, 'success')
  world.expected.set(id, { ends: ['success'], undisturbed: true })
  await world.ended([id])
}
