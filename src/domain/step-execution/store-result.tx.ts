import type { Keyring } from '#platform/crypto/index.ts'
import type { Tx } from '#platform/db/database.ts'
import { isObject, textOf } from '#platform/documents/document.ts'
import { applyOperations, PatchConflict } from '#platform/documents/json-patch.ts'
import { readOperations } from '#platform/documents/operations.ts'
import { Failure } from '#platform/failure.ts'
import type { Result } from '#protocol/runner-protocol.ts'
import { rightsOfCreator } from '../access/index.ts'
import { findChange, overridesOf, type StoredChange, writeOverrides } from '../changes/index.ts'
import { eventNode, findNodeById, lineOf, type Node } from '../nodes/index.ts'
import { checkProperties, type PatchOutcome } from '../properties/index.ts'
import type { ReportedStep, StoredResult } from '../steps/for-step-execution.ts'
import { templateOfVersion } from '../templates/index.ts'
import { type ChildParts, childStepsOf } from './child-steps.tx.ts'
import type { StepExecutionParts } from './parts.port.ts'
import { type ConflictParts, conflictOf } from './patch-conflict.tx.ts'

/** Owner of properties that a step may patch, as named in `properties_diffs`. */
interface Owner {
  readonly name: string
  readonly id: string
  /** Path on which the update right is needed; undefined for documents that a step may always write. */
  readonly rightsPath?: string
}

type PatchParts = ConflictParts & Pick<StepExecutionParts, 'applyPatch'>

/**
 * Stores the report of a successful step: its patches are applied to the current documents, all or none, and the steps
 * that it adds are read. A step may write its change and its own node; others only if the change's creator may update
 * their properties at this moment.
 */
export const storeResultWith =
  ({ patches, children }: { readonly patches: PatchParts; readonly children: ChildParts }) =>
  async (tx: Tx, step: ReportedStep, result: Result): Promise<StoredResult> => {
    const diffs = Object.entries(result.propertiesDiffs).filter(([, operations]) => operations.length > 0)
    const added = result.childSteps ?? []
    if (diffs.length === 0 && added.length === 0) return {}
    const change = (await findChange(tx, step.activity.id))!
    const node = await findNodeById(tx, change.node_id)
    if (!node) return { conflict: `${change.path} has been destroyed: what the step reports cannot be kept.` }
    const written = diffs.length === 0 ? {} : await storeDiffs(patches, tx, { step, change, node }, diffs)
    if ('conflict' in written || added.length === 0) return written
    return childStepsOf(children, tx, { step, change, node }, added)
  }

async function storeDiffs(
  parts: PatchParts,
  tx: Tx,
  about: { readonly step: ReportedStep; readonly change: StoredChange; readonly node: Node },
  diffs: readonly (readonly [string, object[]])[],
): Promise<StoredResult> {
  const { change, node } = about
  const owners = await ownersOf(tx, change, node)
  const unknown = diffs.filter(([name]) => name !== 'change' && !owners.has(name))
  if (unknown.length > 0)
    return {
      conflict: `step_result.json: properties_diffs knows no owner ${unknown.map(([name]) => name).join(', ')}; here there are ${[...owners.keys(), 'change'].join(', ')}.`,
    }
  const refused = await refusedOwners(
    tx,
    change,
    diffs.flatMap(([name]) => owners.get(name) ?? []),
  )
  return refused ? { conflict: refused } : applyAll(parts, tx, { ...about, owners, diffs })
}

async function applyAll(
  parts: PatchParts,
  tx: Tx,
  what: {
    step: ReportedStep
    change: StoredChange
    node: Node
    owners: ReadonlyMap<string, Owner>
    diffs: readonly (readonly [string, object[]])[]
  },
): Promise<StoredResult> {
  const { step, change, node, owners } = what
  const author = { userId: change.user_id, username: change.created_by, stepId: step.id }
  // Owners are locked in the order of their ids, whatever order a step names them in, to avoid deadlocks between
  // changes.
  const ordered = what.diffs.toSorted(([a], [b]) => ((owners.get(a)?.id ?? '') < (owners.get(b)?.id ?? '') ? -1 : 1))
  for (const [name, operations] of ordered) {
    const owner = owners.get(name)
    const outcome = owner
      ? await parts.applyPatch(tx, {
          ownerId: owner.id,
          operations,
          author,
          node: eventNode(node),
          activityId: change.id,
        })
      : await patchOverrides(parts.keyring, tx, change, operations)
    if (outcome.outcome === 'conflict' || outcome.outcome === 'invalid')
      return conflictOf(parts, tx, { step, change, node, owner: name, ownerId: owner?.id, operations, outcome })
  }
  return {}
}

async function ownersOf(tx: Tx, change: StoredChange, node: Node): Promise<Map<string, Owner>> {
  const line = await lineOf(tx, node)
  const owners = line.map(each => ({
    name: each.node_type,
    id: each.id,
    ...(each.id !== node.id && { rightsPath: `${each.path}/properties` }),
  }))
  const template = change.template_version_id ? await templateOfVersion(tx, change.template_version_id) : undefined
  const ofTemplate = template
    ? [
        { name: 'template', id: template.id, rightsPath: `${template.path}/properties` },
        { name: 'template_version', id: change.template_version_id!, rightsPath: `${template.path}/properties` },
      ]
    : []
  return new Map([...owners, ...ofTemplate].map(owner => [owner.name, owner]))
}

async function refusedOwners(tx: Tx, change: StoredChange, owners: readonly Owner[]): Promise<string | undefined> {
  const foreign = owners.filter(({ rightsPath }) => rightsPath !== undefined)
  if (foreign.length === 0) return undefined
  const rights = await rightsOfCreator(tx, change.user_id, change.scope_project_id)
  const refused = foreign.filter(({ rightsPath }) => !rights.may('update', rightsPath!))
  if (refused.length === 0) return undefined
  return refused
    .map(
      ({ name, rightsPath }) =>
        `The step wrote to the properties of its ${name}, and ${change.created_by} lacks update on ${rightsPath}.`,
    )
    .join('\n')
}

/** The layer "change" is the change's own document: no other change writes it, and its activity is locked. */
async function patchOverrides(keyring: Keyring, tx: Tx, change: StoredChange, given: unknown): Promise<PatchOutcome> {
  const { operations, faults } = readOperations(given)
  if (faults.length > 0) return { outcome: 'invalid', why: faults.map(({ detail }) => detail).join(' ') }
  // Read again: another result in the same transaction may have written it.
  const before = overridesOf(keyring, (await findChange(tx, change.id))!)
  try {
    const after = applyOperations(before, operations)
    if (!isObject(after)) return { outcome: 'invalid', why: 'Property overrides are an object.' }
    checkProperties(after, change.path, '')
    if (textOf(after) !== textOf(before)) await writeOverrides(tx, keyring, change.id, after)
    return { outcome: 'written', version: 0 }
  } catch (error) {
    if (error instanceof Failure) return { outcome: 'invalid', why: error.message }
    if (!(error instanceof PatchConflict)) throw error
    const { operation, found, message } = error
    return { outcome: 'conflict', why: message, operation, version: 0, ...(found !== undefined && { found }) }
  }
}
