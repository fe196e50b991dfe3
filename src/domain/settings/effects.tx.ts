import { theService } from '#platform/actor.ts'
import type { Context } from '#platform/commands/command.ts'
import type { Database, Queries, Tx } from '#platform/db/database.ts'
import type { DocumentStore } from '#platform/documents/document-store.ts'
import type { NewEvent } from '#platform/events.ts'
import type { SettingsReader } from './converged.store.ts'
import { lockInstallation, switchBasicAuth } from './installation.store.ts'
import { globalSettings, lockSwitch, type MaintenanceMode, switchMaintenance } from './maintenance.store.ts'

/** Pool of slots → the setting that is its limit. */
const limits = {
  runner: 'concurrent.runner_limit',
  actions_refresh: 'concurrent.refresh_limit',
  model: 'concurrent.model_limit',
  agent: 'concurrent.agent_limit',
  image_build: 'build_service.max_concurrent_image_builds',
} as const

type Surroundings = Pick<Context, 'tx' | 'actor' | 'record' | 'enqueue'>

/**
 * Applies the installation's settings outside their record, in the transaction that wrote them: the mode is switched at
 * once; whether HTTP Basic is accepted is stored where signing in reads it; slot pools belong to the engine, whose job
 * (`steps.limits`) reads the limits when it runs (`slotLimits`): limits in the job's payload might be outdated by then.
 */
export async function afterGlobalWrite(
  { tx, actor, record, enqueue }: Surroundings,
  reader: SettingsReader,
): Promise<void> {
  await lockSwitch(tx)
  const { data } = await reader.global(tx)
  await switchMaintenance(tx, data['maintenance_mode'] as MaintenanceMode, actor, record)
  const basic = data['enable_basic_auth'] as boolean
  await switchBasicAuth(tx, basic)
  await enqueue('steps.limits', {}, { key: 'steps.limits' })
}

/** Pool → how many slots it has. */
export async function slotLimits(reader: SettingsReader, queries: Queries): Promise<Record<string, number>> {
  const { data } = await reader.global(queries)
  return Object.fromEntries(Object.entries(limits).map(([pool, key]) => [pool, Number(data[key])]))
}

export interface Starting {
  readonly database: Database
  readonly store: DocumentStore
  readonly reader: SettingsReader
  readonly record: (tx: Tx, event: NewEvent) => Promise<void>
  readonly enqueue: (tx: Tx, job: string, payload: object, options?: { key?: string }) => Promise<void>
}

/**
 * Prepares settings at each start, before anything is admitted: creates the installation's record if there is none,
 * applies what the environment states, and records that (`warn:settings:override`).
 */
export async function startSettings({ database, store, reader, record, enqueue }: Starting): Promise<void> {
  await database.transaction(async tx => {
    // Before the row, in the same order as writes of the settings.
    await lockSwitch(tx)
    // The row lock makes processes that start together agree on one record.
    const installation = await lockInstallation(tx)
    if (!installation.has_settings) {
      const owner = {
        type: 'Global',
        id: installation.id,
        projectId: null,
        path: '/system_configuration',
        createdAt: installation.created_at,
      }
      await store.create(tx, owner, theService, {})
    }
    const context = {
      tx,
      actor: theService,
      record: (event: NewEvent) => record(tx, event),
      enqueue: (job: string, payload: object, options?: { key?: string }) => enqueue(tx, job, payload, options),
    }
    await afterGlobalWrite(context, reader)
    const source = await globalSettings(tx)
    for (const setting of Object.keys(reader.overrides)) {
      const about = { actor: theService, ...(source && { source }), attributes: { setting } }
      await record(tx, { type: 'warn:settings:override', ...about })
    }
  })
}
