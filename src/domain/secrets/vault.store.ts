import type { Keyring } from '#platform/crypto/index.ts'
import type { Queries, Tx } from '#platform/db/database.ts'
import { sql } from '#platform/db/sql.ts'
import { referenceOf, type SecretPlace } from './reference.ts'

/** Where secrets lie. The built-in one is a table; others speak to a vault of the organisation. */
export interface Vault {
  /** Puts a value in place of whatever was there. */
  store(tx: Tx, secret: SecretPlace & { value: string }, by: StoredBy): Promise<string>
  /** Erases what lies beneath nodes that were destroyed: another node may be given the path. */
  forget(tx: Tx, nodeIds: readonly string[]): Promise<void>
  /** The values that are there, by their references. */
  read(queries: Queries, places: readonly SecretPlace[]): Promise<Map<string, string>>
}

export interface StoredBy {
  userId: string | null
  username: string
  projectId: string | null
}

export const builtInVault = (keyring: Pick<Keyring, 'seal' | 'openText'>): Vault => ({
  store: async (tx, { path, key, value }, by) => {
    const sealed = keyring.seal(value, nameOf({ path, key }))
    const stored = await tx.one(sql<{ id: string }>`
      insert into vault_entries as v (project_id, path, key, value, created_by, user_id)
      values (${by.projectId}, ${path}, ${key}, ${sealed}, ${by.username}, ${by.userId})
      on conflict (path, key) do update
         set value = excluded.value, row_version = v.row_version + 1, updated_at = sluice_now()
      returning id`)
    return stored!.id
  },
  forget: async (tx, nodeIds) => {
    await tx.count(sql`
      delete from vault_entries v
       using nodes n
       where n.id = any(${nodeIds}::uuid[]) and v.path >= n.path || '/' and v.path < n.path || '0'`)
  },
  read: async (queries, places) => {
    if (places.length === 0) return new Map()
    const found = await queries.rows(sql<{ path: string; key: string; value: Buffer }>`
      select v.path, v.key, v.value
        from vault_entries v
        join unnest(${places.map(({ path }) => path)}::text[], ${places.map(({ key }) => key)}::text[]) as wanted (path, key)
          on wanted.path = v.path and wanted.key = v.key`)
    return new Map(found.map(({ value, ...place }) => [referenceOf(place), keyring.openText(value, nameOf(place))]))
  },
})

/** A key holds no slash, so the two together name one entry. */
const nameOf = ({ path, key }: SecretPlace) => `vault_entries:${path}/${key}`
