import { fromJson } from '../../json/from-json.ts'
import type { Result } from '../../protocol/runner-protocol.ts'

/** Fields of step_result.json that a step may set, as they go into the result. */
export type Said = Pick<
  Result,
  'propertiesDiffs' | 'childSteps' | 'childExecutionStrategy' | 'replaceChildSteps' | 'outputs'
>

const owners = ['project', 'environment', 'template', 'template_version', 'asset', 'agent', 'change']
const operations = ['add', 'remove', 'replace', 'move', 'copy', 'test']

/** Keys of a step's result: the check of each value, and the name of its member in `Said`. */
const keys: Record<string, { as: keyof Said; wrong: (value: unknown) => string | undefined }> = {
  properties_diffs: { as: 'propertiesDiffs', wrong: wrongDiffs },
  child_steps: {
    as: 'childSteps',
    wrong: value => (isList(value, isEntry) ? undefined : 'is not a list of names and objects'),
  },
  child_execution_strategy: {
    as: 'childExecutionStrategy',
    wrong: value =>
      value === 'sequential' || value === 'parallel' ? undefined : 'is neither "sequential" nor "parallel"',
  },
  replace_child_steps: {
    as: 'replaceChildSteps',
    wrong: value => (typeof value === 'boolean' ? undefined : 'is not true or false'),
  },
  outputs: { as: 'outputs', wrong: value => (isRecord(value) ? undefined : 'is not an object') },
}

/**
 * Reads the text of a step_result.json; no file is nothing to report.
 *
 * @returns what it says, or what is wrong with it, in words for the step's error message
 */
export function readStepResult(text: string | undefined): Said | { malformed: string } {
  const none: Said = { propertiesDiffs: {} }
  if (text === undefined) return none
  const parsed = parse(text)
  if ('malformed' in parsed) return parsed
  if (isTooDeep(parsed.value)) return malformed(tooDeep)
  if (!isRecord(parsed.value)) return malformed('it does not hold an object')
  const said: Record<string, unknown> = { ...none }
  for (const [key, value] of Object.entries(parsed.value)) {
    if (!Object.hasOwn(keys, key))
      return malformed(`it has no key "${key}"; its keys are ${Object.keys(keys).join(', ')}`)
    const { as, wrong } = keys[key]!
    const fault = wrong(value)
    if (fault) return malformed(`${key} ${fault}`)
    said[as] = value
  }
  return said as unknown as Said
}

const malformed = (why: string) => ({ malformed: `step_result.json is malformed: ${why}` })

function parse(text: string): { value: unknown } | { malformed: string } {
  try {
    return { value: fromJson(text, refuseUnkeepable) }
  } catch (error) {
    if (error instanceof RangeError) return malformed(tooDeep)
    return malformed((error as Error).message)
  }
}

/**
 * Refuses values that would not be stored unchanged: JavaScript would silently change the last digits of a number, and
 * PostgreSQL accepts neither NUL nor half of a surrogate pair.
 */
function refuseUnkeepable(key: string, value: unknown, context?: { source?: string }): unknown {
  for (const text of [key, value]) {
    if (typeof text !== 'string' || (!text.includes('\0') && text.isWellFormed())) continue
    throw new Error(`a text holds ${text.includes('\0') ? 'U+0000' : 'half of a surrogate pair'}, which cannot be kept`)
  }
  const lossy = typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(context?.source ?? '')
  if (lossy) throw new Error(`the number ${context?.source} is beyond 2^53; write it as a string`)
  return value
}

function wrongDiffs(value: unknown): string | undefined {
  if (!isRecord(value)) return 'is not an object'
  for (const [owner, patch] of Object.entries(value)) {
    if (!owners.includes(owner)) return `names the owner "${owner}"; owners are ${owners.join(', ')}`
    if (!isList(patch, isRecord)) return `has for ${owner} no list of operations`
    const wrong = patch.findIndex(operation => !isOperation(operation))
    if (wrong >= 0) return `has for ${owner}, at ${wrong}, no operation of a JSON Patch (op, path, and value or from)`
  }
  return undefined
}

function isOperation({ op, path, from, ...rest }: Record<string, unknown>): boolean {
  if (typeof path !== 'string' || !operations.includes(op as string)) return false
  if (op === 'move' || op === 'copy') return typeof from === 'string'
  return op === 'remove' || Object.hasOwn(rest, 'value')
}

/**
 * Maximum depth: more than documents of properties may have, and less than recursion in any part of the service can
 * handle.
 */
const deepest = 200
const tooDeep = `it is nested deeper than ${deepest} levels`

function isTooDeep(value: unknown): boolean {
  let level = [value]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > deepest) return true
    level = level.flatMap(each => (typeof each === 'object' && each !== null ? Object.values(each) : []))
  }
  return false
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isEntry = (value: unknown): value is string | Record<string, unknown> =>
  typeof value === 'string' || isRecord(value)

const isList = <T>(value: unknown, every: (item: unknown) => item is T): value is T[] =>
  Array.isArray(value) && value.every(every)
