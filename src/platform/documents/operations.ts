import type { Fault } from '../failure.ts'
import { isObject, type Json } from './document.ts'
import type { Operation } from './json-patch.ts'

const needsValue = new Set(['add', 'replace', 'test'])
const needsFrom = new Set(['move', 'copy'])
const known = ['add', 'remove', 'replace', 'move', 'copy', 'test']

/**
 * Reads a JSON Patch from outside. Members that an operation does not know are ignored, as RFC 6902 requires.
 *
 * @param at the pointer of the patch itself
 */
export function readOperations(value: unknown, at = ''): { operations: Operation[]; faults: Fault[] } {
  if (!Array.isArray(value)) return { operations: [], faults: [fault(at, 'A JSON Patch is an array of operations.')] }
  const faults = value.flatMap((each, index) => faultsOf(each, `${at}/${index}`))
  return { operations: faults.length ? [] : (value as Operation[]), faults }
}

function faultsOf(operation: unknown, at: string): Fault[] {
  if (!isObject(operation)) return [fault(at, 'An operation is an object with "op" and "path".')]
  const { op } = operation
  if (typeof op !== 'string' || !known.includes(op))
    return [fault(`${at}/op`, `op should be one of ${known.join(', ')}.`)]
  return [
    ...pointerFaults(operation['path'], `${at}/path`),
    ...(needsFrom.has(op) ? pointerFaults(operation['from'], `${at}/from`) : []),
    ...(needsValue.has(op) && !Object.hasOwn(operation, 'value') ? [fault(`${at}/value`, `${op} needs a value.`)] : []),
  ]
}

const pointerFaults = (pointer: Json | undefined, at: string): Fault[] =>
  typeof pointer === 'string' && /^(\/([^~]|~[01])*)?$/.test(pointer)
    ? []
    : [fault(at, 'A path is a JSON pointer: empty, or beginning with "/"; "~" is written ~0 and "/" ~1.')]

const fault = (pointer: string, detail: string): Fault => ({ code: 'invalid', detail, source: { pointer } })
