import type { Tx } from '#platform/db/database.ts'
import { sql } from '#platform/db/sql.ts'

interface Installation {
  readonly id: string
  readonly created_at: string
  /** Whether its settings have been created. */
  readonly has_settings: boolean
}

/** The row of the installation, locked. */
export async function lockInstallation(tx: Tx): Promise<Installation> {
  const row = (await tx.one(sql<Pick<Installation, 'id' | 'created_at'>>`
    select id, created_at from installation for update`))!
  // In a statement of its own: the snapshot of the first one can be older than the lock.
  const settings = await tx.one(sql`select 1 from settings where owner_id = ${row.id}::uuid`)
  return { ...row, has_settings: settings !== undefined }
}

/** Whether users sign in with a password of this service. */
export const switchBasicAuth = (tx: Tx, on: boolean): Promise<number> =>
  tx.count(sql`update installation set basic_auth = ${on} where basic_auth <> ${on}`)
