import type { Actor } from '#platform/actor.ts'
import type { Tx } from '#platform/db/database.ts'
import { sql } from '#platform/db/sql.ts'

export interface SavedView {
  readonly name: string
  readonly list: string
  readonly query: string
  readonly shared_with: 'private' | 'everyone'
}

export interface StoredView extends SavedView {
  readonly id: string
  readonly user_id: string
  readonly row_version: number
}

/** View that the caller may see, locked. */
export const lockView = (tx: Tx, id: string | undefined, { userId, rights }: Actor): Promise<StoredView | undefined> =>
  tx.one(sql<StoredView>`
    select id, user_id, name, list, query, shared_with, row_version
      from saved_views
     where id = ${id}::uuid and (user_id = ${userId}::uuid or shared_with = 'everyone' or ${sql.lit(rights.superuser)})
       for no key update`)

/** Whether the user has another view of this list with this name. */
export const hasViewNamed = async (
  tx: Tx,
  { userId, list, name, but }: { userId: string; list: string; name: string; but: string },
): Promise<boolean> =>
  (await tx.one(sql<{ yes: boolean }>`
    select exists (select from saved_views
                    where user_id = ${userId}::uuid and list = ${list} and name = ${name}
                      and id <> ${but}::uuid) as yes`))!.yes

/** @returns the id; undefined if the name is taken */
export async function insertView(tx: Tx, view: SavedView, by: Actor): Promise<string | undefined> {
  const made = await tx.one(sql<{ id: string }>`
    insert into saved_views (user_id, name, list, query, shared_with, created_by)
    values (${by.userId}::uuid, ${view.name}, ${view.list}, ${view.query}, ${view.shared_with}, ${by.username})
    on conflict do nothing
    returning id`)
  return made?.id
}

export const updateView = (tx: Tx, id: string, view: SavedView): Promise<number> =>
  tx.count(sql`
    update saved_views
       set name = ${view.name}, list = ${view.list}, query = ${view.query}, shared_with = ${view.shared_with},
           row_version = row_version + 1, updated_at = sluice_now()
     where id = ${id}::uuid`)

export const deleteView = (tx: Tx, id: string): Promise<number> =>
  tx.count(sql`delete from saved_views where id = ${id}::uuid`)

/** Deletes the preferences and saved views of a user who is deleted. */
export async function deletePersonalData(tx: Tx, userId: string): Promise<void> {
  await tx.count(sql`delete from saved_views where user_id = ${userId}::uuid`)
  await tx.count(sql`delete from user_preferences where user_id = ${userId}::uuid`)
}
