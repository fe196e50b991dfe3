import { isCollection, isMap, isPair } from 'yaml'
import type { ActionsSource } from '#authoring/actions/actions-file.ts'
import { actionsFileLimits } from '#authoring/actions/check-actions.ts'
import type { FileFault } from '#authoring/files/file-fault.ts'
import { deepest, type YamlFile, yamlContents } from '#authoring/files/yaml-file.ts'

interface Listed {
  readonly name: string
  /** Options of the action, as in an actions.yaml. */
  readonly entry: object
  /** Whether it has a body. */
  readonly program: boolean
  readonly at?: { readonly file: string; readonly line: number; readonly column: number }
}

/**
 * Converts the declarations of a program to a source of actions. They are put into the form of an actions.yaml and read
 * by the same rules, so that both kinds have the same meaning and faults; faults name the call that declared the
 * action. The list comes from user code and is untrusted.
 *
 * @param program the file, from the repository's root
 */
export function programSource(program: string, list: unknown): ActionsSource {
  const whole = (message: string): ActionsSource => ({ faults: [{ file: program, line: 1, column: 1, message }] })
  if (!Array.isArray(list) || !list.every(isListed)) return whole('The program did not say what it declares.')
  if (list.length === 0) return whole('The program declares no action.')
  const firsts = new Map<string, Listed>()
  const twin = list.find(each => {
    const first = firsts.get(each.name)
    if (!first) firsts.set(each.name, each)
    return first
  })
  if (twin) {
    const first = placeOf(program, firsts.get(twin.name)!)
    const message = `There is an action "${twin.name}" already at ${first.file}:${first.line}:${first.column}.`
    return { faults: [{ ...placeOf(program, twin), message }] }
  }
  if (isDeeper(list, deepest)) return whole(`Its actions are nested deeper than ${deepest} levels.`)
  const bytes = Buffer.byteLength(JSON.stringify(list.map(({ name, entry }) => [name, entry])))
  if (bytes > actionsFileLimits.declared)
    return whole(`Its actions take more than ${actionsFileLimits.declared} bytes.`)
  // A map keeps its order where an object would put names that are numbers first.
  const actions = new Map(list.map(({ name, entry, program: body }) => [name, { ...entry, body }]))
  const contents = yamlContents({ actions })
  let declared: Map<unknown, Listed> | undefined
  const faultAt = (node: unknown, message: string): FileFault => {
    declared ??= declaredBy(contents, list)
    const by = declared.get(node)
    return { ...(by ? placeOf(program, by) : { file: program, line: 1, column: 1 }), message }
  }
  return { yaml: { contents, faultAt, resolve: node => node, refers: false }, program }
}

/** Call that each node comes from. */
function declaredBy(contents: YamlFile['contents'], list: readonly Listed[]): Map<unknown, Listed> {
  const found = new Map<unknown, Listed>()
  const note = (node: unknown, listed: Listed): void => {
    found.set(node, listed)
    if (isPair(node)) for (const part of [node.key, node.value]) note(part, listed)
    if (isCollection(node)) for (const item of node.items) note(item, listed)
  }
  const actions = isMap(contents) ? contents.get('actions') : undefined
  if (isMap(actions)) for (const [i, pair] of actions.items.entries()) note(pair, list[i]!)
  return found
}

/** Whether a value is nested deeper than that, found without recursion: the value is untrusted. */
export function isDeeper(value: unknown, most: number): boolean {
  const left: (readonly [value: unknown, depth: number])[] = [[value, 0]]
  for (let next = left.pop(); next; next = left.pop()) {
    const [each, depth] = next
    if (typeof each !== 'object' || each === null) continue
    if (depth > most) return true
    for (const nested of Object.values(each)) left.push([nested, depth + 1])
  }
  return false
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
