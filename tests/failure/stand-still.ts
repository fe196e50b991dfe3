import { setTimeout as pause } from 'node:timers/promises'
import { sql } from '../../src/platform/db/sql.ts'
import type { FailureWorld } from './world.ts'

/** @throws once nothing has ended for this number of seconds, naming what has not; PostgreSQL may be down meanwhile */
export async function whileSomethingEnds<T>(world: FailureWorld, seconds: number, work: Promise<T>): Promise<T> {
  const over = new AbortController()
  try {
    return await Promise.race([work, neverButStandingStill(world, seconds, over.signal)])
  } finally {
    over.abort()
  }
}

async function neverButStandingStill(world: FailureWorld, seconds: number, over: AbortSignal): Promise<never> {
  let last = { ended: -1, at: performance.now() }
  for (;;) {
    await pause(1_000, undefined, { signal: over })
    const now = await world.database
      .one(sql<{ ended: number }>`select count(*)::integer as ended from activities where final`)
      .catch(() => undefined)
    if (now !== undefined && now.ended !== last.ended) last = { ended: now.ended, at: performance.now() }
    if (performance.now() - last.at < seconds * 1_000) continue
    const left = await world.database.rows(sql<{ id: string }>`select id from activities where not final`)
    const stuck = await world.unfinished(left.map(({ id }) => id))
    throw new Error(`nothing has ended for ${seconds} s: ${JSON.stringify(stuck, null, 2)}`)
  }
}
