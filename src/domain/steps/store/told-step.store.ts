import type { Tx } from '#platform/db/database.ts'
import { sql } from '#platform/db/sql.ts'
import type { ToldStep } from '../advance/step-events.ts'

/** Step in the form for events, without a move. */
export const findToldStep = (tx: Tx, id: string | null): Promise<ToldStep | undefined> =>
  tx.one(sql<ToldStep>`select id, status, full_path, action, false as swept from steps where id = ${id}::uuid`)
