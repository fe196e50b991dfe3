import { fromJson } from '#json/from-json.ts'
import type { Keyring } from '#platform/crypto/index.ts'
import type { Job } from '#platform/domain.ts'
import type { Vaults } from './vault.port.ts'
import type { VaultConnection } from './vault-connection.ts'
import { VaultFailure } from './vault-failure.ts'
import { deleteRemoval, findRemovals, removalName } from './vault-removals.store.ts'

export const removeElsewhere = 'secrets.remove_elsewhere'

/**
 * Job that erases values of destroyed nodes in other vaults. The queue retries an unavailable vault, up to its limit;
 * values stored again under the same path meanwhile remain.
 */
export const removeElsewhereJob = (keyring: Pick<Keyring, 'openText'>, vaults: Pick<Vaults, 'vaultAt'>): Job => ({
  name: removeElsewhere,
  outside: true,
  run: async (_: object, { database, log, stopping }) => {
    let failed: VaultFailure | undefined
    let last: string | null = null
    for (;;) {
      stopping.throwIfAborted()
      const [removal] = await findRemovals(database, last, 1)
      if (!removal) break
      last = removal.id
      try {
        const { path, key } = removal
        const connection: VaultConnection = fromJson(keyring.openText(removal.connection, removalName({ path, key })))
        if (!removal.taken_again) await vaults.vaultAt(connection).remove(database, { path, key })
        await deleteRemoval(database, removal.id)
      } catch (error) {
        if (!(error instanceof VaultFailure)) throw error
        log.warn(
          { path: removal.path, why: error.message },
          'secret of a destroyed node could not be deleted from its vault; retrying',
        )
        failed = error
      }
    }
    if (failed) throw failed
  },
})
