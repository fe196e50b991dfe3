import type { InputArgument } from '#authoring/actions/action.ts'
import type { Actor } from '#platform/actor.ts'
import type { Tx } from '#platform/db/database.ts'
import type { Json, JsonObject } from '#platform/documents/document.ts'
import { failure } from '#platform/failure.ts'
import { checkProperties } from '../properties/index.ts'
import { secretReference } from '../secrets/index.ts'
import { openArguments } from '../steps/for-changes.ts'
import { findChange, overridesOf, writeOverrides } from './change.store.ts'
import { type Taken, takenArguments, withArguments } from './input-arguments.ts'
import type { ChangeParts } from './parts.port.ts'
import { pathOfInputs } from './used-inputs.store.ts'

/** A step that asks for arguments, under the lock of its activity. */
export interface AskingStep {
  readonly id: string
  readonly activity_id: string
  readonly input_arguments: Buffer | null
}

type PutParts = Pick<ChangeParts, 'keyring' | 'vaults'>

/**
 * Puts the values that a step continues with into the property overrides of its change. A sensitive value is stored in
 * the vault of the node, and the overrides contain its reference: so it is masked in logs and never shown.
 *
 * @returns the names of the arguments that have a value now
 * @throws Failure (422) with all faults of the values
 */
export async function putArguments(
  parts: PutParts,
  tx: Tx,
  step: AskingStep,
  given: JsonObject,
  by: Pick<Actor, 'userId' | 'username'>,
): Promise<readonly string[]> {
  const asked = openArguments(parts.keyring, step) as unknown as readonly InputArgument[]
  const taken = takenArguments(asked, given)
  if (taken.length === 0) return []
  const change = (await findChange(tx, step.activity_id))!
  const kept: Taken[] = []
  for (const each of taken) {
    const { argument, value } = each
    if (!argument.sensitive) {
      kept.push(each)
      continue
    }
    const place = { path: `${pathOfInputs(change, change.id)}/${step.id}`, key: keyFor(argument) }
    await parts.vaults.store(tx, { ...place, value: asText(value) }, { ...by, projectId: change.project_id })
    kept.push({ argument, value: secretReference(place) })
  }
  const document = withArguments(overridesOf(parts.keyring, change), kept)
  checkProperties(document, change.path, '/data/attributes/input_arguments')
  await writeOverrides(tx, parts.keyring, change.id, document)
  return taken.map(({ argument }) => argument.name)
}

/** Key of an argument; two arguments of one name differ in their paths. */
const keyFor = ({ path, name }: InputArgument): string =>
  encodeURIComponent(`${path.slice(1)}${path ? '.' : ''}${name}`)

function asText(value: Json): string {
  if (typeof value === 'string') return value
  throw failure('invalid', 'A sensitive argument is a string.')
}
