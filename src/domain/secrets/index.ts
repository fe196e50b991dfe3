import type { Context } from '#platform/commands/command.ts'
import type { Domain } from '#platform/domain.ts'
import { nodeTypes } from '../nodes/index.ts'
import { secretCommands } from './secret.commands.ts'
import type { Vault } from './vault.store.ts'

export { type WrongReference, wrongReferences } from './reference.ts'
export {
  type Resolved,
  readSecrets,
  referencesIn,
  resolveReferences,
  UnresolvedSecrets,
  withSecrets,
} from './resolve.ts'
export { builtInVault, type Vault } from './vault.store.ts'

/** Secrets: stored encrypted, referred to in properties, resolved for a step or for whoever may. */
export const secretsDomain = ({ vault }: { vault: Vault }): Domain => ({
  name: 'secrets',
  commands: secretCommands(vault),
  extends: Object.fromEntries(
    nodeTypes.map(type => [type, { onDestroy: ({ tx }: Context, ids: readonly string[]) => vault.forget(tx, ids) }]),
  ),
})
