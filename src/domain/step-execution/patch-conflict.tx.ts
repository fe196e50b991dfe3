import type { Tx } from '#platform/db/database.ts'
import { isObject, type Json, objectOf } from '#platform/documents/document.ts'
import { applyOperations, type Operation, PatchConflict, valueAt } from '#platform/documents/json-patch.ts'
import { Failure } from '#platform/failure.ts'
import { convergedOfChange, type StoredChange } from '../changes/index.ts'
import type { Node } from '../nodes/index.ts'
import type { PatchOutcome } from '../properties/index.ts'
import { resolveReferences, UnresolvedSecrets } from '../secrets/index.ts'
import { attemptBegan, type ReportedStep, type StoredResult } from '../steps/for-step-execution.ts'
import type { StepExecutionParts } from './parts.port.ts'

type SecretsParts = Pick<StepExecutionParts, 'keyring' | 'converge' | 'vaults'>
export type ConflictParts = SecretsParts & Pick<StepExecutionParts, 'propertiesAt'>

/** A step's patch that cannot be applied. */
export interface RefusedPatch {
  readonly step: ReportedStep
  readonly change: StoredChange
  readonly node: Node
  readonly owner: string
  /** Id of the owner; undefined for the change's own overrides, which have no stored earlier versions. */
  readonly ownerId: string | undefined
  readonly operations: readonly object[]
  readonly outcome: Exclude<PatchOutcome, { outcome: 'written' | 'unchanged' }>
}

type Conflict = Extract<StoredResult, { conflict: string }>

/**
 * Describes a conflict: the step and the event only report that the patch no longer applies, the step's log also has
 * the values. Values are properties, which are encrypted everywhere else, and secrets among them are masked.
 */
export async function conflictOf(parts: ConflictParts, tx: Tx, refused: RefusedPatch): Promise<Conflict> {
  const { owner, outcome } = refused
  if (outcome.outcome === 'invalid')
    return { conflict: `The step's patch of the ${owner}'s properties is not valid: ${outcome.why}` }
  const conflict = `The step's patch of the ${owner}'s properties no longer applies: ${outcome.why}`
  return { conflict, log: [conflict, ...(await values(parts, tx, refused, outcome))].join('\n') }
}

async function values(
  parts: ConflictParts,
  tx: Tx,
  { step, change, node, ownerId, operations }: RefusedPatch,
  { operation, found, version }: Extract<PatchOutcome, { outcome: 'conflict' }>,
): Promise<string[]> {
  const secrets = await secretsOf(parts, tx, change, node)
  if (typeof secrets === 'string') return [`Values are not shown, for it is not known which are secret: ${secrets}`]
  const shown = (value: Json | undefined) =>
    value === undefined ? 'nothing' : JSON.stringify(withoutSecrets(value, secrets))
  const began = await attemptBegan(tx, step.id)
  const given = ownerId && began ? await parts.propertiesAt(tx, ownerId, began) : undefined
  const { path } = operation
  return [
    ...(given ? [`What the step was given at ${path}: ${shown(valueAt(given, path))}`] : []),
    `Its patch: ${shown(operations as unknown as Json)}`,
    ...(given ? [`What the patch makes of that: ${shown(made(given, operations, path))}`] : []),
    `Current value (version ${version}): ${shown(found)}`,
  ]
}

function made(given: Json, operations: readonly object[], path: string): Json | undefined {
  try {
    return valueAt(applyOperations(given, operations as readonly Operation[]), path)
  } catch (error) {
    // It did not apply to the documents that the step was given either.
    if (error instanceof PatchConflict || error instanceof Failure) return undefined
    throw error
  }
}

/** Secrets that the step was given, or the reason why they cannot be determined any more. */
async function secretsOf(
  parts: SecretsParts,
  tx: Tx,
  change: StoredChange,
  node: Node,
): Promise<readonly string[] | string> {
  try {
    const { data } = await convergedOfChange(parts, tx, change, node)
    return (await resolveReferences(tx, parts.vaults, data, change.path)).secrets
  } catch (error) {
    if (error instanceof Failure || error instanceof UnresolvedSecrets) return error.message
    throw error
  }
}

function withoutSecrets(value: Json, secrets: readonly string[]): Json {
  const masked = (text: string) => secrets.reduce((rest, secret) => rest.replaceAll(secret, '***'), text)
  if (typeof value === 'string') return masked(value)
  if (Array.isArray(value)) return value.map(each => withoutSecrets(each, secrets))
  if (!isObject(value)) return value
  return objectOf(Object.entries(value).map(([key, each]) => [masked(key), withoutSecrets(each, secrets)]))
}
