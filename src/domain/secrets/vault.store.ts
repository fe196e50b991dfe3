import type { Keyring } from '#platform/crypto/index.ts'
import type { Queries, Tx } from '#platform/db/database.ts'
import { sql } from '#platform/db/sql.ts'
import { referenceOf, type SecretPlace } from './reference.ts'
import type { StoredBy, Vault } from './vault.port.ts'

/** The built-in vault: encrypted values in the table of entries. */
export const builtInVault = (keyring: Pick<Keyring, 'seal' | 'openText'>): Vault => ({
  read: async (queries, places) => {
    if (places.length === 0) return new Map()
    const found = await queries.rows(sql<{ path: string; key: string; value: Buffer }>`
      select v.path, v.key, v.value
        from vault_entries v
        join unnest(${places.map(({ path }) => path)}::text[], ${places.map(({ key }) => key)}::text[]) as wanted (path, key)
          on wanted.path = v.path and wanted.key = v.key
       where v.value is not null`)
    return new Map(found.map(({ value, ...place }) => [referenceOf(place), keyring.openText(value, nameOf(place))]))
  },
  store: (tx, { path, key, value }, by) =>
    storeEntry(tx, { path, key }, { value: keyring.seal(value, nameOf({ path, key })) }, by),
  remove: deleteEntry,
})

/** A key contains no slash, so the two together identify one entry. */
export const nameOf = ({ path, key }: SecretPlace) => `vault_entries:${path}/${key}`

/** Stores the entry of a secret: with its value, or with the name of the vault that has it. */
export async function storeEntry(
  tx: Tx,
  { path, key }: SecretPlace,
  kept: { value: Buffer } | { keptIn: string },
  by: StoredBy,
): Promise<string> {
  const value = 'value' in kept ? kept.value : null
  const keptIn = 'keptIn' in kept ? kept.keptIn : null
  const stored = await tx.one(sql<{ id: string }>`
    insert into vault_entries as v (project_id, path, key, value, kept_in, created_by, user_id)
    values (${by.projectId}, ${path}, ${key}, ${value}, ${keptIn}, ${by.username}, ${by.userId})
    on conflict (path, key) do update
       set value = excluded.value, kept_in = excluded.kept_in,
           row_version = v.row_version + 1, updated_at = sluice_now()
    returning id`)
  return stored!.id
}

/** Entries of a key at a path, or of all keys there and below. */
export const entriesAt = (queries: Queries, path: string, key: string | undefined): Promise<SecretPlace[]> =>
  queries.rows(sql<SecretPlace>`
    select path, key
      from vault_entries
     where case when ${key ?? null}::text is not null then path = ${path} and key = ${key ?? null}
                else path = ${path} or (path >= ${`${path}/`} and path < ${`${path}0`}) end
     order by path, key`)

export async function deleteEntry(queries: Queries, { path, key }: SecretPlace): Promise<void> {
  await queries.count(sql`delete from vault_entries where path = ${path} and key = ${key}`)
}

/** Deletes all entries below a path that is not a node's. */
export const deleteEntriesUnder = (tx: Tx, path: string) =>
  tx.rows(sql<SecretPlace & { kept_in: string }>`
    with gone as (
      delete from vault_entries v
       where v.path >= ${`${path}/`} and v.path < ${`${path}0`}
      returning v.path, v.key, v.kept_in
    )
    select path, key, kept_in from gone where kept_in is not null order by path, key`)

/** Deletes the entries below nodes; returns those whose values are stored elsewhere. */
export const deleteEntriesBelowNodes = (tx: Tx, nodeIds: readonly string[]) =>
  tx.rows(sql<SecretPlace & { kept_in: string }>`
    with gone as (
      delete from vault_entries v
       using nodes n
       where n.id = any(${[...nodeIds]}::uuid[]) and v.path >= n.path || '/' and v.path < n.path || '0'
      returning v.path, v.key, v.kept_in
    )
    select path, key, kept_in from gone where kept_in is not null order by path, key`)
