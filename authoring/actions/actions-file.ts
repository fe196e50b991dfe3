import { isOneLine } from '#platform/display-name.ts'
import { type Field, Fields, type Reading } from '../files/fields.ts'
import type { FileFault } from '../files/file-fault.ts'
import { fileText } from '../files/file-text.ts'
import { readYaml, type YamlFile } from '../files/yaml-file.ts'
import type { ActionCatalogue, ActionDefinition } from './action.ts'
import { actionsFileLimits, checkActions, type ReadAction } from './check-actions.ts'
import { readSteps, runAs } from './step-entries.ts'

/**
 * Reads `actions.yaml`: the actions, or all of its faults, each with its line and column. Pure: nothing of the file is
 * run, nothing else is read.
 *
 * @param file its path in the repository, for the faults
 */
export const readActionsFile = (file: string, bytes: Uint8Array): ReadActions => readActions([yamlSource(file, bytes)])

/** YAML faults of `actions.yaml`, regardless of the meaning of its keys. */
export function yamlFaults(file: string, bytes: Uint8Array): readonly FileFault[] {
  const source = yamlSource(file, bytes)
  return 'faults' in source ? source.faults : []
}

export type ReadActions = ActionCatalogue | { readonly faults: FileFault[] }

/** Source of actions. `program`: it declares their bodies; otherwise they are scripts. */
export type ActionsSource =
  | { readonly yaml: YamlFile; readonly program?: string }
  | { readonly faults: readonly FileFault[] }

export function yamlSource(file: string, bytes: Uint8Array): ActionsSource {
  const whole = (message: string) => ({ faults: [{ file, line: 1, column: 1, message }] })
  if (bytes.length > actionsFileLimits.bytes) return whole(`The file has more than ${actionsFileLimits.bytes} bytes.`)
  const decoded = fileText(file, bytes)
  if ('faults' in decoded) return decoded
  const yaml = readYaml(file, decoded.text)
  return 'faults' in yaml ? yaml : { yaml }
}

/** The actions of all sources as one catalogue: actions of different sources may refer to each other. */
export function readActions(sources: readonly ActionsSource[]): ReadActions {
  const faults = sources.flatMap(source => ('faults' in source ? source.faults : []))
  const actions = sources.flatMap(source =>
    'faults' in source ? [] : readSource({ yaml: source.yaml, faults }, source.program),
  )
  checkActions(actions, faults)
  const byPlace = (a: FileFault, b: FileFault) =>
    a.file === b.file ? a.line - b.line || a.column - b.column : a.file < b.file ? -1 : 1
  return faults.length > 0 ? { faults: faults.toSorted(byPlace) } : { actions: actions.map(({ action }) => action) }
}

/** The actions of one file, as far as they can be read. */
export function readSource(reading: Reading, program: string | undefined): ReadAction[] {
  const { yaml, faults } = reading
  const top = Fields.of(reading, yaml.contents, 'The file must have the key "actions:" with the actions below it.')
  const list = top?.take('actions')
  top?.refuseOthers()
  if (top && !list) faults.push(yaml.faultAt(yaml.contents, 'The file has no "actions:".'))
  return list ? readList(reading, list, program) : []
}

function readList(reading: Reading, list: Field, program: string | undefined): ReadAction[] {
  const entries = Fields.entriesOf(reading, list.node, '"actions" must hold actions, each under its name.')
  if (entries.length > actionsFileLimits.actions) {
    reading.faults.push(reading.yaml.faultAt(list.node, `More than ${actionsFileLimits.actions} actions.`))
    return []
  }
  return entries.flatMap(({ name, key, node }) => {
    const fault = nameFault(name)
    if (fault) reading.faults.push(reading.yaml.faultAt(key, fault))
    const read = readAction(reading, name, key, node, program)
    return read ? [read] : []
  })
}

/** Fault of an action's name, which is a segment of the paths on which rights are checked. */
function nameFault(name: string): string | undefined {
  if (name.length > 255) return 'The name of an action has at most 255 characters.'
  if (name.trim() === '' || name !== name.trim())
    return 'The name of an action neither is empty nor begins or ends with a blank.'
  if (name.includes('/') || !isOneLine(name))
    return 'The name of an action must be one line without "/", control characters and marks of direction.'
  return name === '*' || name === '.' || name === '..' ? `An action cannot be called "${name}".` : undefined
}

/** Interpreters by name; bash stops at the first command that fails. */
const shells: Readonly<Record<string, readonly string[]>> = {
  bash: ['bash', '-euo', 'pipefail'],
  sh: ['sh', '-eu'],
  python3: ['python3'],
  node: ['node'],
}

function readAction(
  reading: Reading,
  name: string,
  key: unknown,
  node: unknown,
  program: string | undefined,
): ReadAction | undefined {
  const fields = Fields.of(reading, node, `The action "${name}" must hold keys such as "run" or "steps".`)
  if (!fields) return undefined
  const uses: { name: string; node: unknown; as: 'need' | 'step' }[] = []
  const needs = (fields.list('needs') ?? []).flatMap(({ node }) => {
    const needed = fields.textOf(node, '"needs" is a list of names of actions.')
    if (needed !== undefined) uses.push({ name: needed, node, as: 'need' })
    return needed === undefined ? [] : [needed]
  })
  const stepsAt = fields.peek('steps')
  const steps = readSteps(reading, fields, (name, node) => uses.push({ name, node, as: 'step' }))
  const run = program === undefined ? fields.text('run', { notEmpty: true }) : undefined
  const module = program !== undefined && fields.boolean('body') ? program : undefined
  const action: ActionDefinition = {
    action: name,
    step_name: fields.name('name') ?? name,
    description: fields.text('description', { most: 4_096 }) ?? null,
    needs,
    run: run ?? null,
    ...(module !== undefined && { module }),
    interpreter: program === undefined ? readInterpreter(fields, run !== undefined) : [],
    env: program === undefined ? fields.environment('env') : {},
    timeout_seconds: fields.integer('timeout_seconds', 1, 31_536_000) ?? null,
    ignore_failure: fields.boolean('ignore_failure') ?? false,
    run_as: runAs(fields),
    steps,
  }
  fields.refuseOthers()
  const [body, runs] = program === undefined ? ['"run"', fields.peek('run')] : ['a body', module !== undefined]
  if (!runs && !stepsAt && needs.length === 0)
    reading.faults.push(
      reading.yaml.faultAt(key, `The action "${name}" has nothing to do: give it ${body} or "steps".`),
    )
  return { action, yaml: reading.yaml, key, uses }
}

/** Starts a program with its standard error on its standard output: one pipe, in which the order of lines is kept. */
const mergingStderr = ['sh', '-c', 'exec "$@" 2>&1', 'sh']

function readInterpreter(fields: Fields, hasBody: boolean): readonly string[] {
  const shell = readShell(fields, hasBody)
  const stderr = fields.take('stderr')
  if (!stderr) return shell
  if (!hasBody)
    fields.fault(stderr.node, '"stderr" says where the standard error of the body goes, and there is no "run".')
  if (stderr.value !== 'merged' && stderr.value !== 'separate')
    fields.fault(stderr.node, '"stderr" is "separate" (the default) or "merged" (into the standard output, in order).')
  return stderr.value === 'merged' ? [...mergingStderr, ...shell] : shell
}

function readShell(fields: Fields, hasBody: boolean): readonly string[] {
  const given = fields.take('shell')
  if (!given) return shells['bash']!
  if (!hasBody) fields.fault(given.node, '"shell" says what runs the body, and there is no "run".')
  if (typeof given.value === 'string') {
    const shell = Object.hasOwn(shells, given.value) ? shells[given.value] : undefined
    if (shell) return shell
    fields.fault(
      given.node,
      `"shell" is one of ${Object.keys(shells).join(', ')}, or a list: a program and its arguments.`,
    )
    return []
  }
  const words = given.value
  if (
    Array.isArray(words) &&
    words.length > 0 &&
    words.every(word => typeof word === 'string' && !word.includes('\0')) &&
    words[0] !== ''
  )
    return words
  fields.fault(given.node, '"shell" as a list holds a program and its arguments, each a text.')
  return []
}
