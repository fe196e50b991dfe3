import type { Keyring } from '#platform/crypto/index.ts'
import type { Queries, Tx } from '#platform/db/database.ts'
import { sql } from '#platform/db/sql.ts'
import type { SecretPlace } from './reference.ts'
import type { VaultConnection } from './vault-connection.ts'

/**
 * Stores the values to delete in other vaults, each with the connection: the settings that named the vault are deleted
 * with the node.
 */
export async function storeRemovals(
  tx: Tx,
  keyring: Pick<Keyring, 'seal'>,
  removals: readonly { place: SecretPlace; connection: VaultConnection }[],
): Promise<void> {
  for (const { place, connection } of removals) {
    const sealed = keyring.seal(JSON.stringify(connection), removalName(place))
    await tx.count(sql`
      insert into vault_removals (path, key, connection) values (${place.path}, ${place.key}, ${sealed})`)
  }
}

export const removalName = ({ path, key }: SecretPlace): string => `vault_removals:${path}/${key}`

export const findRemovals = (queries: Queries, after: string | null, most: number) =>
  queries.rows(sql<SecretPlace & { id: string; connection: Buffer; taken_again: boolean }>`
    select r.id, r.path, r.key, r.connection,
           exists (select from vault_entries v where v.path = r.path and v.key = r.key) as taken_again
      from vault_removals r
     where ${after}::uuid is null or r.id > ${after}::uuid
     order by r.id
     limit ${most}`)

export const deleteRemoval = (queries: Queries, id: string) =>
  queries.count(sql`delete from vault_removals where id = ${id}::uuid`)
