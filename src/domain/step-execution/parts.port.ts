import type { Queries, Tx } from '#platform/db/database.ts'
import type { Sql } from '#platform/db/sql.ts'
import type { JsonObject } from '#platform/documents/document.ts'
import type { NewEvent } from '#platform/events.ts'
import type { ChangeParts } from '../changes/index.ts'
import type { Mailer } from '../mail/index.ts'
import type { propertiesDomain } from '../properties/index.ts'

/** Makes the runner of a step mask a secret in all that the step writes, before the step is answered that secret. */
export type MaskFirst = (tx: Tx, stepId: string, secret: string) => Promise<void>

/** Masks texts that a step reports as its log would show them: without its secrets. */
export type MaskTexts = (
  queries: Pick<Queries, 'external'>,
  stepId: string,
  texts: readonly string[],
) => Promise<readonly string[]>

/** Dependencies of the execution of steps on the folders to their left; put together once, in main. */
export interface StepExecutionParts
  extends Omit<ChangeParts, 'site' | 'spares' | 'answerConverged' | 'convergeReading'> {
  /** Names the newest properties of these owners, as an expression (`DocumentStore.stamp`). */
  readonly propertyStamp: (ownerIds: Sql) => Sql<string>
  readonly applyPatch: ReturnType<typeof propertiesDomain>['applyPatch']
  /** Properties of an owner at an instant; undefined before there were any. */
  readonly propertiesAt: (queries: Queries, ownerId: string, at: string) => Promise<JsonObject | undefined>
  /** Records an event for itself, where nothing else is written. */
  readonly recordEvent: (event: NewEvent) => Promise<void>
  readonly maskFirst: MaskFirst
  readonly maskTexts: MaskTexts
  /** Sender of mail; undefined where the installation has no mail server. */
  readonly mailer: Mailer | undefined
}
