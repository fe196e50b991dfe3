import { nearestTo } from '#platform/nearest-name.ts'
import { decode, type FileFault, readYaml, type YamlFile } from '../git/index.ts'
import { type ActionCatalogue, type ActionDefinition, prerequisitesOf, type StepEntry } from './action.ts'
import { type Field, Fields, type Reading } from './fields.ts'
import { readSteps, runAs } from './step-entries.ts'

/**
 * Bytes of an actions file, actions in it, steps that one action may come to with all that is beneath it, steps of all
 * actions together, and characters that the scripts of one action's steps come to: a script is stored with each step.
 */
export const actionsFileLimits = {
  bytes: 1_048_576,
  actions: 2_000,
  steps: 20_000,
  allSteps: 200_000,
  scripts: 67_108_864,
  depth: 64,
} as const

/**
 * Reads `actions.yaml` (automation.md 2): the actions, or everything that is wrong with them, each with its line and
 * column. Pure: nothing of the file is run, nothing else is read.
 *
 * @param file its path in the repository, for the faults
 */
export const readActionsFile = (file: string, bytes: Uint8Array): ReadActions => readActions([yamlSource(file, bytes)])

export type ReadActions = ActionCatalogue | { readonly faults: FileFault[] }

/** What actions are read from. `program`: it declares their bodies; otherwise they are scripts. */
export type ActionsSource =
  | { readonly yaml: YamlFile; readonly program?: string }
  | { readonly faults: readonly FileFault[] }

export function yamlSource(file: string, bytes: Uint8Array): ActionsSource {
  const whole = (message: string) => ({ faults: [{ file, line: 1, column: 1, message }] })
  if (bytes.length > actionsFileLimits.bytes) return whole(`The file has more than ${actionsFileLimits.bytes} bytes.`)
  const text = decode(bytes)
  if (text === undefined) return whole('The file is not UTF-8.')
  const yaml = readYaml(file, text)
  return 'faults' in yaml ? yaml : { yaml }
}

/** The actions of all sources, as one catalogue: those of one may name those of another. */
export function readActions(sources: readonly ActionsSource[]): ReadActions {
  const faults = sources.flatMap(source => ('faults' in source ? source.faults : []))
  const actions = sources.flatMap(source =>
    'faults' in source ? [] : readSource({ yaml: source.yaml, faults }, source.program),
  )
  refuseTwins(actions, faults)
  if (faults.length === 0) checkReferences(actions, faults)
  if (faults.length === 0) checkSizes(actions, faults)
  const byPlace = (a: FileFault, b: FileFault) =>
    a.file === b.file ? a.line - b.line || a.column - b.column : a.file < b.file ? -1 : 1
  return faults.length > 0 ? { faults: faults.toSorted(byPlace) } : { actions: actions.map(({ action }) => action) }
}

function readSource(reading: Reading, program: string | undefined): ReadAction[] {
  const { yaml, faults } = reading
  const top = Fields.of(reading, yaml.contents, 'The file must hold "actions:" with the actions beneath it.')
  const list = top?.take('actions')
  top?.refuseOthers()
  if (top && !list) faults.push(yaml.faultAt(yaml.contents, 'The file has no "actions:".'))
  return list ? readList(reading, list, program) : []
}

/** An action with the places that later faults speak of. */
interface ReadAction {
  readonly action: ActionDefinition
  readonly yaml: YamlFile
  readonly key: unknown
  /** Each name of an action that it uses, and where. */
  readonly uses: readonly { readonly name: string; readonly node: unknown; readonly as: 'need' | 'step' }[]
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

function refuseTwins(actions: readonly ReadAction[], faults: FileFault[]): void {
  const seen = new Map<string, ReadAction>()
  for (const read of actions) {
    const name = read.action.action.toLowerCase()
    const twin = seen.get(name)
    if (!twin) {
      seen.set(name, read)
      continue
    }
    const { file, line, column } = twin.yaml.faultAt(twin.key, '')
    const where = twin.yaml === read.yaml ? '' : ` at ${file}:${line}:${column}`
    faults.push(
      read.yaml.faultAt(
        read.key,
        `There is an action "${twin.action.action}" already${where}; names differ by more than upper and lower case.`,
      ),
    )
  }
}

/** A name is a segment of the paths on which rights are asked. */
function nameFault(name: string): string | undefined {
  if (name.length > 255) return 'The name of an action has at most 255 characters.'
  if (name.trim() === '' || name !== name.trim())
    return 'The name of an action neither is empty nor begins or ends with a blank.'
  if (/[/\p{Cc}]/u.test(name)) return 'The name of an action holds no "/" and no control characters.'
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
    step_name: fields.text('name', { notEmpty: true, most: 255 }) ?? name,
    description: fields.text('description', { most: 4_096 }) ?? null,
    needs,
    run: run ?? null,
    ...(module !== undefined && { module }),
    interpreter: program === undefined ? readShell(fields, run !== undefined) : [],
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

/** Every action that is named exists, prerequisites are bodies, and no action comes to hold itself. */
function checkReferences(actions: readonly ReadAction[], faults: FileFault[]): void {
  const byName = new Map(actions.map(each => [each.action.action.toLowerCase(), each]))
  for (const { uses, yaml } of actions)
    for (const { name, node, as } of uses) {
      const used = byName.get(name.toLowerCase())
      if (!used) {
        const nearest = nearestTo(
          name,
          actions.map(each => each.action.action),
        )
        const hint = nearest === undefined ? '' : ` Did you mean "${nearest}"?`
        faults.push(yaml.faultAt(node, `There is no action "${name}".${hint}`))
      } else if (as === 'need' && used.action.steps.length > 0) {
        faults.push(
          yaml.faultAt(node, `"${name}" has steps, so it cannot run within another step: name it under "steps".`),
        )
      }
    }
  if (faults.length > 0) return
  for (const as of ['need', 'step'] as const) faults.push(...circles(byName, as))
}

/** Each circle once, at the place where it closes. */
function circles(byName: ReadonlyMap<string, ReadAction>, as: 'need' | 'step'): FileFault[] {
  const found: FileFault[] = []
  const finished = new Set<string>()
  const visit = (name: string, above: readonly string[]): void => {
    if (finished.has(name)) return
    const { uses, yaml } = byName.get(name)!
    for (const use of uses) {
      if (use.as !== as) continue
      const next = use.name.toLowerCase()
      const from = [...above, name].indexOf(next)
      if (from < 0) {
        visit(next, [...above, name])
        continue
      }
      const circle = [...[...above, name].slice(from), next].map(each => byName.get(each)!.action.action)
      found.push(yaml.faultAt(use.node, `This goes round in a circle: ${circle.join(' → ')}.`))
    }
    finished.add(name)
  }
  for (const name of byName.keys()) visit(name, [])
  return found
}

interface Size {
  readonly steps: number
  readonly depth: number
  readonly scripts: number
}

/** A short file can come to very many steps: each action is counted once, whatever uses it. */
function checkSizes(actions: readonly ReadAction[], faults: FileFault[]): void {
  const byName = new Map(actions.map(({ action }) => [action.action.toLowerCase(), action]))
  const find = (name: string) => byName.get(name.toLowerCase())!
  const sizes = new Map<ActionDefinition, Size>()
  const ofAction = (action: ActionDefinition): Size => {
    const known = sizes.get(action)
    if (known) return known
    const beneath = ofEntries(action.steps)
    const bodies = [...prerequisitesOf(find, action), action]
    const size = { ...beneath, scripts: bodies.reduce((sum, body) => sum + scriptOf(body), beneath.scripts) }
    sizes.set(action, size)
    return size
  }
  const ofEntries = (entries: readonly StepEntry[]): Size =>
    entries
      .map(entry => (entry.kind === 'action' ? ofAction(find(entry.action)) : ofEntries(entry.steps)))
      .reduce(
        (all, one) => ({
          steps: all.steps + one.steps,
          depth: Math.max(all.depth, one.depth + 1),
          scripts: all.scripts + one.scripts,
        }),
        { steps: 1, depth: 1, scripts: 0 },
      )
  const most = actionsFileLimits
  let allSteps = 0
  for (const { action, key, yaml } of actions) {
    const { steps, depth, scripts } = ofAction(action)
    const fault = (message: string) => faults.push(yaml.faultAt(key, message))
    const before = allSteps
    allSteps += steps
    if (steps > most.steps) fault(`"${action.action}" comes to more than ${most.steps} steps.`)
    else if (depth > most.depth) fault(`The steps of "${action.action}" are nested deeper than ${most.depth} levels.`)
    else if (scripts > most.scripts)
      fault(`The scripts of all steps of "${action.action}" come to more than ${most.scripts / 1_048_576} MiB.`)
    else if (before <= most.allSteps && allSteps > most.allSteps)
      fault(`Up to here all actions together come to more than ${most.allSteps} steps.`)
  }
}

const scriptOf = ({ run, env }: ActionDefinition): number =>
  (run?.length ?? 0) + Object.entries(env).reduce((sum, [name, value]) => sum + name.length + value.length, 0)
