import { type FileFault, readYaml } from '../git/index.ts'
import type { ActionsSource } from './actions-file.ts'
import { actionsFileLimits } from './check-actions.ts'

interface Listed {
  readonly name: string
  /** Its options, as an actions.yaml would say them. */
  readonly entry: object
  /** It has a body. */
  readonly program: boolean
  readonly at?: { readonly file: string; readonly line: number; readonly column: number }
}

/**
 * What a program said that it declares, as a source of actions. It is put into the form of an actions.yaml and read by the
 * same rules, so that both kinds mean the same and are refused alike; faults name the call that declared the action. The
 * list comes from a user's code: nothing of it is taken for granted.
 *
 * @param program the file, from the repository's root
 */
export function programSource(program: string, list: unknown): ActionsSource {
  const whole = (message: string): ActionsSource => ({ faults: [{ file: program, line: 1, column: 1, message }] })
  if (!Array.isArray(list) || !list.every(isListed)) return whole('The program did not say what it declares.')
  if (list.length === 0) return whole('The program declares no action.')
  const twin = list.find(({ name }, i) => list.findIndex(other => other.name === name) < i)
  if (twin) {
    const first = placeOf(program, list.find(({ name }) => name === twin.name)!)
    const message = `There is an action "${twin.name}" already at ${first.file}:${first.line}:${first.column}.`
    return { faults: [{ ...placeOf(program, twin), message }] }
  }
  let text = '{"actions":{'
  const ends = list.map(({ name, entry, program: body }, i) => {
    text += `${i === 0 ? '' : ','}${JSON.stringify(name)}:${JSON.stringify({ ...entry, body })}`
    return text.length
  })
  text += '}}'
  if (text.length > actionsFileLimits.bytes)
    return whole(`Its actions take more than ${actionsFileLimits.bytes} bytes.`)
  const yaml = readYaml(program, text)
  if ('faults' in yaml) return yaml
  const faultAt = (node: unknown, message: string): FileFault => {
    const offset = (node as { range?: readonly number[] } | null)?.range?.[0] ?? 0
    const declared = list[ends.findIndex(end => offset < end)]
    return { ...(declared ? placeOf(program, declared) : { file: program, line: 1, column: 1 }), message }
  }
  return { yaml: { ...yaml, faultAt }, program }
}

const placeOf = (program: string, { at }: Listed) => at ?? { file: program, line: 1, column: 1 }

function isListed(value: unknown): value is Listed {
  const { name, entry, program, at } = (value ?? {}) as Record<string, unknown>
  return (
    typeof name === 'string' && isObject(entry) && typeof program === 'boolean' && (at === undefined || isPlace(at))
  )
}

function isPlace(value: unknown): boolean {
  if (!isObject(value)) return false
  const { file, line, column } = value
  return typeof file === 'string' && file.length <= 4_096 && Number.isSafeInteger(line) && Number.isSafeInteger(column)
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
