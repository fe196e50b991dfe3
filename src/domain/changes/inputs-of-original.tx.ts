import type { InputArgument } from '#authoring/actions/action.ts'
import type { Keyring } from '#platform/crypto/index.ts'
import type { Queries } from '#platform/db/database.ts'
import type { Json, JsonObject } from '#platform/documents/document.ts'
import { isObject } from '#platform/documents/document.ts'
import { type EndedStep, endedTree } from '../steps/index.ts'
import { placeOf, withArguments } from './input-arguments.ts'

/**
 * Overrides given for a retry, merged over the values that successful input steps had put into those of the original:
 * these steps are not asked again, and the steps after them need the values. Given values take precedence.
 */
export async function inputsOfOriginal(
  keyring: Keyring,
  queries: Queries,
  originalId: string,
  { before, given }: { before: JsonObject; given: JsonObject },
): Promise<JsonObject> {
  const root = await endedTree(queries, keyring, originalId)
  const taken = (root ? argumentsTaken(root) : []).flatMap(argument => {
    const value = valueAt(before, argument)
    return value === undefined || valueAt(given, argument) !== undefined ? [] : [{ argument, value }]
  })
  return withArguments(given, taken)
}

const argumentsTaken = (step: EndedStep): InputArgument[] => [
  ...(step.body === 'done' ? ((step.input_arguments ?? []) as unknown as InputArgument[]) : []),
  ...step.children.flatMap(argumentsTaken),
]

function valueAt(document: JsonObject, argument: InputArgument): Json | undefined {
  const keys = placeOf(argument)
    .slice(1)
    .split('/')
    .map(part => part.replaceAll('~1', '/').replaceAll('~0', '~'))
  let value: Json | undefined = document
  for (const key of keys) value = isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined
  return value
}
