import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js'
import type { TSchema } from 'typebox'
import type { Fault } from '../failure.ts'
import { addOwnFormats } from './formats.ts'
import { pointerPart } from './json.ts'
import { type AnySchema, shouldBe } from './should-be.ts'

// A test validates our own schemas against JSON Schema. Here that would add 75 ms to the first request after a start.
const ajv = new Ajv2020({ strict: false, allErrors: true, verbose: true, validateSchema: false })
addOwnFormats(ajv)
const validators = new WeakMap<object, ReturnType<typeof ajv.compile>>()

/** Faults of the values of `object`, one for each place; `pointer` is the place of the object. */
export function invalidIn(schema: TSchema, object: unknown, pointer: string): Fault[] {
  const validate = validators.get(schema) ?? ajv.compile(schema)
  validators.set(schema, validate)
  if (validate(object)) return []
  const byPlace = Map.groupBy(validate.errors ?? [], placeOf)
  const places = [...byPlace.keys()]
  return [...byPlace.entries()]
    .filter(([place, errors]) => !explainedAbove(place, errors, byPlace, places))
    .map(([place, errors]) => faultOf(`${pointer}${place}`, errors))
}

/** Pointer of an error. A missing or unknown member is reported at its own place, not at its object. */
function placeOf(error: ErrorObject): string {
  const { missingProperty, additionalProperty } = error.params
  const member = error.keyword === 'required' ? missingProperty : additionalProperty
  return member === undefined ? error.instancePath : `${error.instancePath}/${pointerPart(member)}`
}

/**
 * Whether an error follows from one above it: a value that matches none of several alternatives is one fault, not one
 * for each alternative and its missing members.
 */
function explainedAbove(
  place: string,
  errors: readonly ErrorObject[],
  byPlace: ReadonlyMap<string, readonly ErrorObject[]>,
  places: readonly string[],
): boolean {
  if (errors.every(error => error.keyword === 'if')) return true
  return places.some(
    above =>
      above !== place &&
      place.startsWith(`${above}/`) &&
      byPlace.get(above)!.some(error => error.keyword === 'anyOf' || error.keyword === 'oneOf'),
  )
}

function faultOf(pointer: string, errors: readonly ErrorObject[]): Fault {
  const source = { pointer }
  const name = nameOf(pointer)
  if (errors.some(error => error.keyword === 'required')) {
    return { code: 'required', detail: `${name} is required.`, source }
  }
  if (errors.some(error => error.keyword === 'additionalProperties')) {
    return { code: 'invalid', detail: `There is no member ${name} here.`, source }
  }
  const error = errors.find(({ keyword }) => keyword === 'anyOf' || keyword === 'oneOf') ?? errors[0]!
  const schema = (error.parentSchema ?? {}) as AnySchema
  return { code: 'invalid', detail: `${name} should be ${shouldBe(schema)}.`, source }
}

/**
 * Name of a member: the last part of its pointer; for an element of a list, with the list's name, since "2 should be a
 * text" would be unclear.
 */
const nameOf = (pointer: string) => /[^/]*(?:\/\d+)*$/.exec(pointer)![0]
