import type { Domain } from '#platform/domain.ts'
import { secretCommands } from './secret.commands.ts'
import type { Vault } from './vault.store.ts'

export { type WrongReference, wrongReferences } from './reference.ts'
export { type Resolved, resolveReferences, UnresolvedSecrets } from './resolve.ts'
export { builtInVault, type Vault } from './vault.store.ts'

/** Secrets: stored encrypted, referred to in properties, resolved for a step or for whoever may. */
export const secretsDomain = ({ vault }: { vault: Vault }): Domain => ({
  name: 'secrets',
  commands: secretCommands(vault),
})
