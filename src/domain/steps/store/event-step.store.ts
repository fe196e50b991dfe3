import type { Tx } from '#platform/db/database.ts'
import { sql } from '#platform/db/sql.ts'
import type { EventStep } from '../advance/step-events.ts'

/** Step in the form for events, without a move. */
export const findEventStep = (tx: Tx, id: string | null): Promise<EventStep | undefined> =>
  tx.one(sql<EventStep>`select id, status, full_path, action, false as swept from steps where id = ${id}::uuid`)
