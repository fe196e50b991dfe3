import type { Tx } from '#platform/db/database.ts'
import { versionAttributes } from '#platform/documents/document.commands.ts'
import { isObject, type Json } from '#platform/documents/document.ts'
import type { Author, DocumentStore } from '#platform/documents/document-store.ts'
import { applyOperations, type Operation, PatchConflict } from '#platform/documents/json-patch.ts'
import { readOperations } from '#platform/documents/operations.ts'
import type { NewEvent, RecordEvent } from '#platform/events.ts'
import { Failure, missing } from '#platform/failure.ts'
import { checkProperties, ownerPath } from './check.ts'

/** Outcome of a step's patch of one owner's properties. */
export type PatchOutcome =
  | { readonly outcome: 'written' | 'unchanged'; readonly version: number }
  /** The patch no longer applies to the current document; details for the step's log. */
  | {
      readonly outcome: 'conflict'
      readonly why: string
      readonly operation: Operation
      /** Value found by the operation; absent if there is none. */
      readonly found?: Json
      readonly version: number
    }
  /** Patch that is not a valid JSON Patch, or whose result is not a valid properties document. */
  | { readonly outcome: 'invalid'; readonly why: string }

export interface StepPatch {
  readonly ownerId: string
  /** Operations as the step reported them: RFC 6902. */
  readonly operations: unknown
  readonly author: Author & { readonly stepId: string }
  readonly node: NonNullable<NewEvent['node']>
  readonly activityId: string
}

/**
 * Applies a step's patch to the current properties of an owner, in the transaction that ends the step, as a new version
 * with the step as its author. Locks the owner's record; a step that patches several does so in the order of their ids.
 */
export const applyPatchWith =
  (store: DocumentStore, record: RecordEvent) =>
  async (tx: Tx, { ownerId, operations: given, author, node, activityId }: StepPatch): Promise<PatchOutcome> => {
    const { operations, faults } = readOperations(given)
    if (faults.length > 0) return { outcome: 'invalid', why: faults.map(({ detail }) => detail).join(' ') }
    const locked = await store.lockOfOwner(tx, ownerId)
    if (!locked) throw missing()
    try {
      const data = applyOperations(locked.data, operations)
      if (!isObject(data))
        return { outcome: 'invalid', why: 'Properties are an object; the patch makes them something else.' }
      const text = checkProperties(data, ownerPath(locked))
      const version = await store.write(tx, locked, text, author)
      if (version === undefined) return { outcome: 'unchanged', version: locked.version }
      await record(tx, {
        type: 'api:properties:update',
        actor: author,
        source: { type: 'properties', id: locked.id },
        node,
        activityId,
        attributes: {
          ...versionAttributes(version, locked.data, data),
          owner_type: locked.owner_type,
          owner_id: locked.owner_id,
          step_id: author.stepId,
        },
      })
      return { outcome: 'written', version }
    } catch (error) {
      if (error instanceof Failure) return { outcome: 'invalid', why: error.message }
      if (!(error instanceof PatchConflict)) throw error
      const { operation, found, message } = error
      return {
        outcome: 'conflict',
        why: message,
        operation,
        version: locked.version,
        ...(found !== undefined && { found }),
      }
    }
  }
