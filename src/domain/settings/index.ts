import type { Keyring } from '#platform/crypto/index.ts'
import type { Queries } from '#platform/db/database.ts'
import { sql } from '#platform/db/sql.ts'
import { deleteDestroyed } from '#platform/documents/document.jobs.ts'
import { documentResources } from '#platform/documents/document.resource.ts'
import type { JsonObject } from '#platform/documents/document.ts'
import { documentStore, sealedVersions } from '#platform/documents/document-store.ts'
import { ownersOf } from '#platform/documents/owners.ts'
import type { Domain } from '#platform/domain.ts'
import type { AskApprovers } from './approver-rules.tx.ts'
import { type SettingsReader, settingsReader } from './converged.store.ts'
import { type Starting, slotLimits, startSettings } from './effects.tx.ts'
import { hideSecrets } from './hidden.ts'
import { settingsHistory } from './history.resource.ts'
import { settingsCommands } from './settings.commands.ts'
import { settingsViews } from './settings.views.ts'

export type { ApproverNames, AskApprovers, KnownApprovers } from './approver-rules.tx.ts'
export { catalogue, type Setting } from './catalogue.ts'
export { settingsFaults } from './check.ts'
export { type ConvergedSettings, defaultSource } from './converge.ts'
export { convergeDateParameter, instantOf } from './converge-date.tx.ts'
export type { SettingsReader } from './converged.store.ts'
export {
  explainParameters,
  explanation,
  type LayerStatement,
  layerStatementOf,
  tokensOfParameter,
} from './explain.view.ts'
export { hidden, hideSecrets, settingsDifferences } from './hidden.ts'
export { impactView, nodesBelow } from './impact.views.ts'
export {
  globalSettings,
  heldMaintenanceMode,
  type MaintenanceMode,
  modeInForce,
  readMaintenance,
} from './maintenance.store.ts'
export { readOverrides } from './overrides.ts'
export { convergedSettingsDocument } from './settings.views.ts'
export { sourceOf } from './sources.ts'
export { vaultInForce } from './vault-in-force.tx.ts'

/**
 * Settings: the catalogue, the records of all owners, and the values in force.
 *
 * @param overrides values that the environment states (`readOverrides`)
 * @param approvers lookup of named approvers; without it their names are accepted unchecked
 */
export function settingsDomain({
  keyring,
  overrides,
  approvers,
}: {
  keyring: Keyring
  overrides: JsonObject
  approvers?: AskApprovers
}): {
  domain: Domain
  reader: SettingsReader
  /** Number of slots in each pool, by the settings in force. */
  slotLimits: (queries: Queries) => Promise<Record<string, number>>
  /** Call at each start, before work is admitted. */
  start: (runtime: Pick<Starting, 'database' | 'record' | 'enqueue'>) => Promise<void>
} {
  const store = documentStore('settings', keyring)
  const reader = settingsReader(store, overrides)
  const owners = ownersOf('settings', store)
  const ofNode = (ownerType: string) => owners.telling(ownerType, sql`n.settings_id`)
  return {
    reader,
    slotLimits: queries => slotLimits(reader, queries),
    start: runtime => startSettings({ ...runtime, store, reader }),
    domain: {
      name: 'settings',
      sealed: [sealedVersions('settings')],
      resources: [
        ...documentResources({
          name: 'settings',
          describe: 'Settings stated by one owner.',
          store,
          show: hideSecrets,
        }),
        settingsHistory,
      ],
      commands: settingsCommands({ store, reader, approvers }),
      views: settingsViews(reader),
      jobs: [deleteDestroyed('settings.delete_destroyed', store)],
      extends: {
        project: ofNode('Project'),
        environment: ofNode('Environment'),
        asset: ofNode('Asset'),
        agent: ofNode('Agent'),
        template: owners.joined('Template', 't'),
        template_version: owners.joined('Template version', 'v'),
      },
    },
  }
}
