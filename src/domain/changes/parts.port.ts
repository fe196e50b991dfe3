import type { ActionCatalogue } from '#authoring/actions/action.ts'
import type { Keyring } from '#platform/crypto/index.ts'
import type { Queries, Tx } from '#platform/db/database.ts'
import type { Sql } from '#platform/db/sql.ts'
import type { JsonObject } from '#platform/documents/document.ts'
import type { NewEvent, RecordEvent } from '#platform/events.ts'
import type { Site } from '#platform/site.ts'
import type { Git } from '../git/index.ts'
import type { Mailer } from '../mail/index.ts'
import type { CurrentModel } from '../models/index.ts'
import type { Node } from '../nodes/index.ts'
import type { AnswerConverged, ConvergeProperties, propertiesDomain } from '../properties/index.ts'
import type { Spares } from '../runners/index.ts'
import type { Vaults } from '../secrets/index.ts'
import type { SettingsReader } from '../settings/index.ts'

/** Makes the runner of a step mask a secret in all that the step writes, before the step is answered that secret. */
export type MaskFirst = (tx: Tx, stepId: string, secret: string) => Promise<void>

/** Masks texts that a step reports as its log would show them: without its secrets. */
export type MaskTexts = (
  queries: Pick<Queries, 'external'>,
  stepId: string,
  texts: readonly string[],
) => Promise<readonly string[]>

/** Dependencies of the creation of a change, also of one that retries another. */
export interface CreateChangeParts {
  /** Site at which changes and runs are executed. */
  readonly site: Site
  readonly keyring: Keyring
  readonly git: Git
  readonly settings: SettingsReader
  readonly converge: ConvergeProperties
  /** The model of an asset that is right now, if there is one. */
  readonly model: (queries: Queries, node: Node) => Promise<CurrentModel>
  readonly record: RecordEvent
}

/** Dependencies of changes on the folders to their left; put together once, in main. */
export interface ChangeParts extends CreateChangeParts {
  readonly answerConverged: AnswerConverged
  /** Names the newest properties of these owners, as an expression (`DocumentStore.stamp`). */
  readonly propertyStamp: (ownerIds: Sql) => Sql<string>
  readonly applyPatch: ReturnType<typeof propertiesDomain>['applyPatch']
  /** Properties of an owner at an instant; undefined before there were any. */
  readonly propertiesAt: (queries: Queries, ownerId: string, at: string) => Promise<JsonObject | undefined>
  /** The actions of the last model that an asset had of a commit, whatever its properties have become since. */
  readonly lastModelActions: (
    queries: Queries,
    nodeId: string,
    at: { readonly git_remote_id: string; readonly commit_sha: string | null },
  ) => Promise<ActionCatalogue | undefined>
  /** Runners that have no work yet. */
  readonly spares: Pick<Spares, 'ready'>
  /** Records an event for itself, where nothing else is written. */
  readonly recordEvent: (event: NewEvent) => Promise<void>
  readonly maskFirst: MaskFirst
  readonly maskTexts: MaskTexts
  /** Sender of mail; undefined where the installation has no mail server. */
  readonly mailer: Mailer | undefined
  readonly vaults: Pick<Vaults, 'read' | 'store' | 'remove' | 'removeBelow'>
  /** Address at which this process answers HTTP, as given to steps. */
  readonly apiUrl: () => string
}
