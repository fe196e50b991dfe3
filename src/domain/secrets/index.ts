import type { Context } from '#platform/commands/command.ts'
import type { Keyring } from '#platform/crypto/index.ts'
import type { Domain } from '#platform/domain.ts'
import { nodeTypes } from '../nodes/index.ts'
import { type SecretParts, secretCommands } from './secret.commands.ts'
import { nameOf } from './vault.store.ts'
import { removeElsewhereJob } from './vault-removals.jobs.ts'
import { removalName } from './vault-removals.store.ts'

export { ownPlace, secretAt, usualMaking } from './generated-secret.tx.ts'
export { referenceOf as secretReference, wrongReferences } from './reference.ts'
export { readSecrets, referencesIn, resolveReferences, UnresolvedSecrets, withSecrets } from './resolve.tx.ts'
export type { Vaults } from './vault.port.ts'
export type { VaultConnection } from './vault-connection.ts'
export { openVaults } from './vaults.tx.ts'

/**
 * Domain of secrets: stored encrypted or in a vault of the organisation, referred to in properties, resolved for a step
 * or for callers with the right.
 */
export const secretsDomain = (parts: SecretParts & { readonly keyring: Keyring }): Domain => ({
  name: 'secrets',
  commands: secretCommands(parts),
  jobs: [removeElsewhereJob(parts.keyring, parts.vaults)],
  sealed: [
    {
      table: 'vault_entries',
      key: { id: 'uuid' },
      columns: { value: ({ path, key }) => nameOf({ path, key }) },
      binding: ['path', 'key'],
    },
    {
      table: 'vault_removals',
      key: { id: 'uuid' },
      columns: { connection: ({ path, key }) => removalName({ path, key }) },
      binding: ['path', 'key'],
    },
  ],
  extends: Object.fromEntries(
    nodeTypes.map(type => [
      type,
      { onDestroy: (context: Context, ids: readonly string[]) => parts.vaults.removeOfNodes(context, ids) },
    ]),
  ),
})
