import type { Context } from '#platform/commands/command.ts'
import type { Keyring } from '#platform/crypto/index.ts'
import type { Queries } from '#platform/db/database.ts'
import { type Sql, sql } from '#platform/db/sql.ts'
import { deleteDestroyed } from '#platform/documents/document.jobs.ts'
import { documentResources } from '#platform/documents/document.resource.ts'
import type { JsonObject } from '#platform/documents/document.ts'
import { documentStore, sealedVersions } from '#platform/documents/document-store.ts'
import type { CreatedRecord, Domain, Extends } from '#platform/domain.ts'
import type { AskApprovers } from './approver-rules.ts'
import { type SettingsReader, settingsReader } from './converged.ts'
import { type Starting, slotLimits, startSettings } from './effects.ts'
import { hideSecrets } from './hidden.ts'
import { settingsCommands } from './settings.commands.ts'
import { settingsViews } from './settings.views.ts'

export type { ApproverNames, AskApprovers, KnownApprovers } from './approver-rules.ts'
export { catalogue, type Level, type Setting } from './catalogue.ts'
export { settingsFaults } from './check.ts'
export { type ConvergedSettings, defaultSource } from './converge.ts'
export { convergeDateParameter, instantOf } from './converge-date.ts'
export type { SettingsReader } from './converged.ts'
export { explainParameters, explanation, type Saying, sayingOf, tokensOfParameter } from './explain.view.ts'
export { hidden, hideSecrets, settingsDifferences } from './hidden.ts'
export { impactView, nodesBeneath } from './impact.views.ts'
export { heldMaintenanceMode, type MaintenanceMode, modeInForce, readMaintenance } from './maintenance.store.ts'
export { readOverrides } from './overrides.ts'
export { convergedSettingsDocument } from './settings.views.ts'
export { sourceOf } from './sources.ts'
export { vaultInForce } from './vault-in-force.ts'

/**
 * Settings: the catalogue, the records of all owners, and what is in force where.
 *
 * @param overrides what the environment states (`readOverrides`)
 * @param approvers who of named approvers is known; without it their names are taken as they are
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
  /** How many slots each pool has, by the settings in force. */
  slotLimits: (queries: Queries) => Promise<Record<string, number>>
  /** Call at each start, before work is admitted. */
  start: (around: Pick<Starting, 'database' | 'record' | 'enqueue'>) => Promise<void>
} {
  const store = documentStore('settings', keyring)
  const reader = settingsReader(store, overrides)
  /** @param id of its own record; with what is to be joined for that */
  const ofOwner = (ownerType: string, id: Sql, joins: Extends['joins'] = {}): Extends => ({
    joins,
    relationships: {
      settings: {
        kind: 'one',
        type: 'settings',
        sql: id,
        paths: row => [`${row['path']}/settings`],
        describe: 'Its own settings.',
        related: (_, id) => `/api/settings/${id}`,
      },
    },
    onCreate: async ({ tx, actor }: Context, record: CreatedRecord) => {
      const { id, projectId, createdAt } = record
      await store.create(tx, { type: ownerType, id, projectId, createdAt, path: `${record.path}/settings` }, actor, {})
    },
    onDestroy: async ({ tx, enqueue }: Context, ids: readonly string[]) => {
      await store.markDestroyed(tx, ids)
      await enqueue('settings.delete_destroyed', {}, { key: 'settings.delete_destroyed' })
    },
  })
  /** A node's row tells it. */
  const ofNode = (ownerType: string) => ofOwner(ownerType, sql`n.settings_id`)
  /** @param alias the owner's, in the `from` of its resource */
  const joinedTo = (ownerType: string, alias: string) =>
    ofOwner(ownerType, sql`own_settings.id`, {
      own_settings: sql`left join settings own_settings on own_settings.owner_id = ${sql.ref(alias)}.id`,
    })
  return {
    reader,
    slotLimits: queries => slotLimits(reader, queries),
    start: around => startSettings({ ...around, store, reader }),
    domain: {
      name: 'settings',
      sealed: [sealedVersions('settings')],
      resources: documentResources({
        name: 'settings',
        describe: 'The settings that one owner states itself.',
        store,
        show: hideSecrets,
      }),
      commands: settingsCommands({ store, reader, approvers }),
      views: settingsViews(reader),
      jobs: [deleteDestroyed('settings.delete_destroyed', store)],
      extends: {
        project: ofNode('Project'),
        environment: ofNode('Environment'),
        asset: ofNode('Asset'),
        agent: ofNode('Agent'),
        template: joinedTo('Template', 't'),
        template_version: joinedTo('Template version', 'v'),
      },
    },
  }
}
