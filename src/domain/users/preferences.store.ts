import { fromJson } from '#json/from-json.ts'
import type { Tx } from '#platform/db/database.ts'
import { sql } from '#platform/db/sql.ts'
import type { JsonObject } from '#platform/documents/document.ts'

/** Preferences of a user, locked; created if there are none. */
export async function lockPreferences(tx: Tx, userId: string): Promise<{ data: JsonObject; rowVersion: number }> {
  await tx.count(sql`
    insert into user_preferences (user_id, row_version) values (${userId}::uuid, 0) on conflict do nothing`)
  const row = (await tx.one(sql<{ data: string; row_version: number }>`
    select data::text as data, row_version from user_preferences where user_id = ${userId}::uuid for update`))!
  return { data: fromJson(row.data) as JsonObject, rowVersion: row.row_version }
}

export const writePreferences = (tx: Tx, userId: string, data: JsonObject): Promise<number> =>
  tx.count(sql`
    update user_preferences
       set data = ${JSON.stringify(data)}::jsonb, row_version = row_version + 1, updated_at = sluice_now()
     where user_id = ${userId}::uuid`)

/** Version of the preferences of a user; 0 if there are none. */
export const versionOfPreferences = async (tx: Tx, userId: string | null): Promise<number> =>
  (
    await tx.one(sql<{ row_version: number }>`
    select row_version from user_preferences where user_id = ${userId}::uuid`)
  )?.row_version ?? 0
