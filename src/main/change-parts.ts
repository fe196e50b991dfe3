import { superusers } from '../domain/access/index.ts'
import { type ChangeParts, continuedByThemselves, makeLateTree } from '../domain/changes/index.ts'
import { record, recordAll, recording } from '../domain/events/index.ts'
import { openMailer } from '../domain/mail/index.ts'
import { currentModel, lastModelActions } from '../domain/models/index.ts'
import { cancelTaskFor } from '../domain/node-tasks/index.ts'
import { letRunnerGo, type Spares, wantRunner } from '../domain/runners/index.ts'
import { heldMaintenanceMode } from '../domain/settings/index.ts'
import { maskFirst, maskTexts, type StepExecutionParts, storeResultWith } from '../domain/step-execution/index.ts'
import type { EngineParts } from '../domain/steps/index.ts'
import type { Queries } from '../platform/db/database.ts'
import { enqueue } from '../platform/jobs/job-queue.ts'
import { mainSite } from '../platform/site.ts'
import type { Configuration, ToAssemble } from './configuration.ts'

/** Parts that changes take of other domains. */
export function changeParts(
  { config, keyring, apiUrl }: ToAssemble,
  { git, vaults, settings, properties }: Configuration,
  spares: Spares,
): ChangeParts {
  const { converge, convergeReading, answerConverged } = properties
  return {
    site: config.site ?? mainSite,
    keyring,
    git,
    vaults,
    record,
    settings: settings.reader,
    converge,
    answerConverged,
    convergeReading,
    model: (queries, node) => currentModel({ keyring, converge }, queries, node),
    lastModelActions: (queries, nodeId, at) => lastModelActions(keyring, queries, nodeId, at),
    spares,
    apiUrl,
  }
}

/** Parts that the execution of steps takes of other domains. */
export function stepExecutionParts(
  changes: ChangeParts,
  { config, database, keyring }: ToAssemble,
  { properties }: Configuration,
): StepExecutionParts {
  const { smtpServer, mailFrom, authorities } = config
  return {
    ...changes,
    maskFirst: maskFirst({ database, keyring }),
    maskTexts: maskTexts({ database, keyring }),
    mailer: smtpServer && mailFrom ? openMailer({ server: smtpServer, from: mailFrom, authorities }) : undefined,
    propertyStamp: properties.store.stamp,
    applyPatch: properties.applyPatch,
    propertiesAt: async (queries, ownerId, at) => (await properties.store.inForce(queries, [ownerId], at))[0]?.data,
    recordEvent: event => database.transaction(tx => record(tx, event)),
  }
}

/** Parts that the engine takes of other domains. */
export const engineParts = (parts: StepExecutionParts, spares: Spares): EngineParts => ({
  keyring: parts.keyring,
  record: recordAll,
  recording,
  runners: { want: (tx, wanted) => wantRunner(tx, wanted, spares.ready()), letGo: letRunnerGo },
  lateTrees: { make: makeLateTree(enqueue), stop: cancelTaskFor },
  maintenanceMode: heldMaintenanceMode,
  superusers: superusersNow,
  storeResult: storeResultWith({ patches: parts, children: parts }),
  continued: continuedByThemselves(parts),
})

async function superusersNow(queries: Queries): Promise<string[]> {
  const rows = await queries.rows(superusers())
  return rows.map(({ id }) => id)
}
