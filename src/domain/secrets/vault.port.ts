import type { Queries, Tx } from '#platform/db/database.ts'
import type { SecretPlace } from './reference.ts'

/**
 * Where secrets lie: the table that comes along, or a vault of the organisation. Whatever it is, it passes the same
 * contract (`vault.db.test.ts`). One that is asked over the network is asked between transactions
 * (`Queries.external`).
 *
 * @throws VaultFailure from each of them, when the vault cannot be had or does not let us
 */
export interface Vault {
  /** The values that are there, by their references. */
  read(queries: Queries, places: readonly SecretPlace[]): Promise<Map<string, string>>
  /** Puts a value in place of whatever was there, and answers the id of its entry. */
  store(tx: Tx, secret: SecretPlace & { readonly value: string }, by: StoredBy): Promise<string>
  /** Erases what was stored there; nothing when nothing was. */
  remove(queries: Queries, place: SecretPlace): Promise<void>
}

export interface StoredBy {
  readonly userId: string | null
  readonly username: string
  readonly projectId: string | null
}
