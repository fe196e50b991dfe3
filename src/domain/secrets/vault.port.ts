import type { Context } from '#platform/commands/command.ts'
import type { Queries, Tx } from '#platform/db/database.ts'
import type { SecretPlace } from './reference.ts'
import type { VaultConnection } from './vault-connection.ts'

/**
 * Store of secrets: the built-in table, or a vault of the organisation. Each passes the same contract
 * (`vault.db.test.ts`). One that is accessed over the network is called between transactions (`Queries.external`).
 *
 * @throws VaultFailure from each method, when the vault is unavailable or refuses access
 */
export interface Vault {
  /** Reads the values by their references; missing ones are absent. */
  read(queries: Queries, places: readonly SecretPlace[]): Promise<Map<string, string>>
  /** Stores a value, replacing an earlier one, and returns the id of its entry. */
  store(tx: Tx, secret: SecretPlace & { readonly value: string }, by: StoredBy): Promise<string>
  /** Erases a value; does nothing if there is none. */
  remove(queries: Queries, place: SecretPlace): Promise<void>
}

export interface StoredBy {
  readonly userId: string | null
  readonly username: string
  readonly projectId: string | null
}

/** All vaults in one: a secret is stored in the vault configured for the node that owns it, whichever node uses it. */
export interface Vaults extends Pick<Vault, 'read' | 'store'> {
  /** Erases a secret, or all that were stored through us under a path. Returns how many there were. */
  remove(tx: Tx, place: { readonly path: string; readonly key?: string | undefined }): Promise<number>
  /** Erases secrets stored below nodes that are being destroyed: their paths may be reused. */
  removeOfNodes(context: Pick<Context, 'tx' | 'enqueue'>, nodeIds: readonly string[]): Promise<void>
  /** Deletes everything stored below a path, such as that of a change. */
  removeBelow(context: Pick<Context, 'tx' | 'enqueue'>, path: string): Promise<void>
  /** The vault of this connection. */
  vaultAt(connection: VaultConnection): Vault
}
