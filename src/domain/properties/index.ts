import type { Keyring } from '#platform/crypto/index.ts'
import { sql } from '#platform/db/sql.ts'
import { deleteDestroyed } from '#platform/documents/document.jobs.ts'
import { documentResources } from '#platform/documents/document.resource.ts'
import { type DocumentStore, documentStore, sealedVersions } from '#platform/documents/document-store.ts'
import { ownersOf } from '#platform/documents/owners.ts'
import type { Domain, Extends } from '#platform/domain.ts'
import type { RecordEvent } from '#platform/events.ts'
import type { SettingsReader } from '../settings/index.ts'
import { answerWriter } from './answer-writer.adapter.ts'
import { applyPatchWith } from './apply-patch.tx.ts'
import { compareNodesView } from './compare.view.ts'
import { type ConvergeProperties, convergeWith, layersWith, type ReadFiles } from './converged.tx.ts'
import { type AnswerConverged, answerConvergedWith } from './converged-answer.tx.ts'
import { explainPropertiesView } from './explain.view.ts'
import { propertiesHistory } from './history.resource.ts'
import { propertiesImpact } from './impact.view.ts'
import { propertiesCommands } from './properties.commands.ts'
import { convergedPropertiesView } from './properties.views.ts'

export type { PatchOutcome } from './apply-patch.tx.ts'
export { checkProperties } from './check.ts'
export type { ChangeLayers, ConvergedProperties, ConvergeProperties } from './converged.tx.ts'
export type { AnswerConverged } from './converged-answer.tx.ts'
export { mergeLayers } from './merge.ts'

/** Properties: the records of all owners, their versions, and what they converge to. */
export function propertiesDomain(parts: {
  keyring: Keyring
  settings: SettingsReader
  record: RecordEvent
  /** `mayFetch`: also from the remote, if this machine's mirror lacks the commit. */
  readFiles?: (...given: [...Parameters<ReadFiles>, how: { readonly mayFetch: boolean }]) => Promise<void>
}): {
  domain: Domain
  store: DocumentStore
  /** Converges properties, also in a transaction. */
  converge: ConvergeProperties
  /** Converges for a caller that may wait: reads the property files of a commit if they are not stored yet. */
  convergeReading: ConvergeProperties
  /** Converges without contacting a remote; undefined if that would be necessary. */
  convergeAtHand: ConvergeProperties
  /** Response to a request for the converged properties of a node, or of a change on it. */
  answerConverged: AnswerConverged
  /** A step's patch of one owner, in the transaction that ends the step. */
  applyPatch: ReturnType<typeof applyPatchWith>
} {
  const store = documentStore('properties', parts.keyring)
  const converge = convergeWith(layersWith(store, parts.settings, parts.keyring))
  const reading = (mayFetch: boolean) =>
    layersWith(store, parts.settings, parts.keyring, parts.readFiles && (key => parts.readFiles!(key, { mayFetch })))
  const layered = reading(true)
  const answerConverged = answerConvergedWith(layered, parts.settings, answerWriter())
  const convergeReading = convergeWith(layered)
  const owners = ownersOf('properties', store)
  const ofNode = (ownerType: string) => owners.telling(ownerType, sql`n.properties_id`)
  const withConverged = (extension: Extends): Extends => ({
    ...extension,
    links: row => ({ converged_properties: `/api${row['path']}/converged_properties` }),
  })
  return {
    store,
    converge,
    convergeReading,
    answerConverged,
    convergeAtHand: convergeWith(reading(false)),
    applyPatch: applyPatchWith(store, parts.record),
    domain: {
      name: 'properties',
      sealed: [sealedVersions('properties')],
      resources: [
        ...documentResources({
          name: 'properties',
          describe: 'Properties stated by one owner.',
          store,
        }),
        propertiesHistory,
      ],
      commands: propertiesCommands(store),
      views: [
        convergedPropertiesView(layered, answerConverged),
        explainPropertiesView(layered),
        propertiesImpact(layered, store),
        compareNodesView(convergeReading, parts.settings),
      ],
      jobs: [deleteDestroyed('properties.delete_destroyed', store)],
      extends: {
        project: ofNode('Project'),
        environment: ofNode('Environment'),
        asset: withConverged(ofNode('Asset')),
        agent: withConverged(ofNode('Agent')),
        template: owners.joined('Template', 't'),
        template_version: owners.joined('Template version', 'v'),
      },
    },
  }
}
