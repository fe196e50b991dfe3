import type { Context } from '#platform/commands/command.ts'
import type { Keyring } from '#platform/crypto/index.ts'
import type { Queries, Tx } from '#platform/db/database.ts'
import { failure } from '#platform/failure.ts'
import { keyValueVault } from './key-value-vault.adapter.ts'
import { ownerOf, type SecretPlace } from './reference.ts'
import { nodesEverAt, type OwnerOfSecrets } from './secret-owner.store.ts'
import type { Vault, Vaults } from './vault.port.ts'
import { builtInVault, deleteEntriesBelowNodes, deleteEntriesUnder, entriesAt } from './vault.store.ts'
import { type VaultConnection, vaultName } from './vault-connection.ts'
import { removeElsewhere } from './vault-removals.jobs.ts'
import { storeRemovals } from './vault-removals.store.ts'
import type { Outgoing } from './vault-request.adapter.ts'

/** The vault that the settings in force of a node name; undefined for the built-in one. */
export type ConnectionOf = (queries: Queries, owner: OwnerOfSecrets) => Promise<VaultConnection | undefined>

/**
 * Maximum length of path and key together in bytes: an index entry has room for 2,704. In ASCII it is more than their
 * maximum number of characters.
 */
const longestPlace = 2_600

/** @throws Failure */
function refuseTooLong({ path, key }: SecretPlace): void {
  if (Buffer.byteLength(path) + Buffer.byteLength(key) <= longestPlace) return
  const detail = `Path and key have at most ${longestPlace} bytes together, with the path of the node.`
  throw failure('invalid', detail, { source: { pointer: '/data/attributes/path' } })
}

/** Maximum number of cached connections. */
const mostOpen = 64

export function openVaults(options: {
  keyring: Pick<Keyring, 'seal' | 'openText'>
  outgoing: Outgoing
  connectionOf: ConnectionOf
}): Vaults {
  const { keyring, outgoing, connectionOf } = options
  const builtIn = builtInVault(keyring)
  const open = new Map<string, Vault>()
  const vaultAt = (connection: VaultConnection): Vault => {
    const name = JSON.stringify(connection)
    const vault = open.get(name) ?? keyValueVault(connection, outgoing)
    open.delete(name)
    open.set(name, vault)
    for (const [oldest] of open) {
      if (open.size <= mostOpen) break
      open.delete(oldest)
    }
    return vault
  }
  const vaultOf = async (queries: Queries, owner: OwnerOfSecrets | undefined): Promise<Vault> => {
    const connection = owner && (await connectionOf(queries, owner))
    return connection ? vaultAt(connection) : builtIn
  }

  return {
    vaultAt,
    read: async (queries, places) => {
      const values = new Map<string, string>()
      const owners = await ownersOf(queries, places)
      const byVault = new Map<Vault, SecretPlace[]>()
      for (const place of places) {
        const vault = await vaultOf(queries, owners.get(ownerOf(place.path) ?? ''))
        byVault.set(vault, [...(byVault.get(vault) ?? []), place])
      }
      for (const [vault, its] of byVault)
        for (const [reference, value] of await vault.read(queries, its)) values.set(reference, value)
      return values
    },
    store: async (tx, secret, by) => {
      refuseTooLong(secret)
      const owners = await ownersOf(tx, [secret])
      return (await vaultOf(tx, owners.get(ownerOf(secret.path) ?? ''))).store(tx, secret, by)
    },
    remove: async (tx, { path, key }) => {
      const places = await entriesAt(tx, path, key)
      const owners = await ownersOf(tx, places)
      for (const place of places) {
        const vault = await vaultOf(tx, owners.get(ownerOf(place.path) ?? ''))
        await vault.remove(tx, place)
      }
      return places.length
    },
    removeOfNodes: async (context, nodeIds) => erase(context, await deleteEntriesBelowNodes(context.tx, nodeIds)),
    removeBelow: async (context, path) => erase(context, await deleteEntriesUnder(context.tx, path)),
  }

  /** Deletes the values of deleted entries in other vaults. */
  async function erase(
    { tx, enqueue }: Pick<Context, 'tx' | 'enqueue'>,
    elsewhere: readonly (SecretPlace & { readonly kept_in: string })[],
  ): Promise<void> {
    if (elsewhere.length === 0) return
    const owners = await ownersOf(tx, elsewhere)
    const removals: { place: SecretPlace; connection: VaultConnection }[] = []
    for (const { kept_in, ...place } of elsewhere) {
      const owner = owners.get(ownerOf(place.path) ?? '')
      const connection = owner && (await connectionOf(tx, owner))
      // A value in a vault that the settings no longer name is out of our reach.
      if (connection && vaultName(connection) === kept_in) removals.push({ place, connection })
    }
    await storeRemovals(tx, keyring, removals)
    await enqueue(removeElsewhere, {}, { key: removeElsewhere })
  }
}

/** Owner's path → the node; if a path was reused, the current node or the last one. */
async function ownersOf(queries: Queries | Tx, places: readonly SecretPlace[]): Promise<Map<string, OwnerOfSecrets>> {
  const paths = [...new Set(places.flatMap(({ path }) => ownerOf(path) ?? []))]
  if (paths.length === 0) return new Map()
  const nodes = await nodesEverAt(queries, paths)
  return new Map(nodes.map(node => [node.path, node]))
}
