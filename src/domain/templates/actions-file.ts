import { nearestTo } from '#platform/nearest-name.ts'
import { decode, type FileFault, readYaml } from '../git/index.ts'
import type { ActionCatalogue, ActionDefinition, StepEntry } from './action.ts'
import { type Field, Fields, type Reading } from './fields.ts'
import { readSteps, runAs } from './step-entries.ts'

/** Bytes of an actions file, actions in it, and steps that one action may come to with all that is beneath it. */
export const actionsFileLimits = { bytes: 1_048_576, actions: 2_000, steps: 20_000, depth: 64 } as const

/**
 * Reads `actions.yaml` (automation.md 2): the actions, or everything that is wrong with them, each with its line and
 * column. Pure: nothing of the file is run, nothing else is read.
 *
 * @param file its path in the repository, for the faults
 */
export function readActionsFile(file: string, bytes: Uint8Array): ActionCatalogue | { readonly faults: FileFault[] } {
  const whole = (message: string) => ({ faults: [{ file, line: 1, column: 1, message }] })
  if (bytes.length > actionsFileLimits.bytes) return whole(`The file has more than ${actionsFileLimits.bytes} bytes.`)
  const text = decode(bytes)
  if (text === undefined) return whole('The file is not UTF-8.')
  const yaml = readYaml(file, text)
  if ('faults' in yaml) return yaml
  const reading: Reading = { yaml, faults: [] }
  const top = Fields.of(reading, yaml.contents, 'The file must hold "actions:" with the actions beneath it.')
  const list = top?.take('actions')
  top?.refuseOthers()
  if (top && !list) reading.faults.push(yaml.faultAt(yaml.contents, 'The file has no "actions:".'))
  const actions = list ? readActions(reading, list) : []
  if (reading.faults.length === 0) checkReferences(reading, actions)
  if (reading.faults.length === 0) checkSizes(reading, actions)
  return reading.faults.length > 0
    ? { faults: reading.faults.toSorted((a, b) => a.line - b.line || a.column - b.column) }
    : { actions: actions.map(({ action }) => action) }
}

/** An action with the places that later faults speak of. */
interface ReadAction {
  readonly action: ActionDefinition
  readonly key: unknown
  /** Each name of an action that it uses, and where. */
  readonly uses: readonly { readonly name: string; readonly node: unknown; readonly as: 'need' | 'step' }[]
}

function readActions(reading: Reading, list: Field): ReadAction[] {
  const entries = Fields.entriesOf(reading, list.node, '"actions" must hold actions, each under its name.')
  if (entries.length > actionsFileLimits.actions) {
    reading.faults.push(reading.yaml.faultAt(list.node, `More than ${actionsFileLimits.actions} actions.`))
    return []
  }
  const seen = new Map<string, string>()
  return entries.flatMap(({ name, key, node }) => {
    const fault = nameFault(name)
    const twin = seen.get(name.toLowerCase())
    if (fault) reading.faults.push(reading.yaml.faultAt(key, fault))
    if (twin !== undefined)
      reading.faults.push(
        reading.yaml.faultAt(
          key,
          `There is an action "${twin}" already; names differ by more than upper and lower case.`,
        ),
      )
    seen.set(name.toLowerCase(), name)
    const read = readAction(reading, name, key, node)
    return read ? [read] : []
  })
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

function readAction(reading: Reading, name: string, key: unknown, node: unknown): ReadAction | undefined {
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
  const run = fields.text('run', { notEmpty: true })
  const action: ActionDefinition = {
    action: name,
    step_name: fields.text('name', { notEmpty: true, most: 255 }) ?? name,
    description: fields.text('description', { most: 4_096 }) ?? null,
    needs,
    run: run ?? null,
    interpreter: readShell(fields, run !== undefined),
    env: fields.environment('env'),
    timeout_seconds: fields.integer('timeout_seconds', 1, 31_536_000) ?? null,
    ignore_failure: fields.boolean('ignore_failure') ?? false,
    run_as: runAs(fields),
    steps,
  }
  fields.refuseOthers()
  if (!fields.peek('run') && !stepsAt && needs.length === 0)
    reading.faults.push(reading.yaml.faultAt(key, `The action "${name}" has nothing to do: give it "run" or "steps".`))
  return { action, key, uses }
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
function checkReferences({ yaml, faults }: Reading, actions: readonly ReadAction[]): void {
  const byName = new Map(actions.map(each => [each.action.action.toLowerCase(), each]))
  for (const { uses } of actions)
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
  for (const as of ['need', 'step'] as const) for (const fault of circles(yaml, byName, as)) faults.push(fault)
}

/** Each circle once, at the place where it closes. */
function circles(yaml: Reading['yaml'], byName: ReadonlyMap<string, ReadAction>, as: 'need' | 'step'): FileFault[] {
  const found: FileFault[] = []
  const finished = new Set<string>()
  const visit = (name: string, above: readonly string[]): void => {
    if (finished.has(name)) return
    for (const use of byName.get(name)!.uses) {
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

/** A short file can come to very many steps: each action is counted once, whatever uses it. */
function checkSizes({ yaml, faults }: Reading, actions: readonly ReadAction[]): void {
  const byName = new Map(actions.map(({ action }) => [action.action.toLowerCase(), action]))
  const sizes = new Map<string, { steps: number; depth: number }>()
  const ofAction = (name: string): { steps: number; depth: number } => {
    const known = sizes.get(name)
    if (known) return known
    const size = ofEntries(byName.get(name)!.steps)
    sizes.set(name, size)
    return size
  }
  const ofEntries = (entries: readonly StepEntry[]): { steps: number; depth: number } =>
    entries
      .map(entry => (entry.kind === 'action' ? ofAction(entry.action.toLowerCase()) : ofEntries(entry.steps)))
      .reduce((all, one) => ({ steps: all.steps + one.steps, depth: Math.max(all.depth, one.depth + 1) }), {
        steps: 1,
        depth: 1,
      })
  for (const { action, key } of actions) {
    const { steps, depth } = ofAction(action.action.toLowerCase())
    const { steps: most, depth: deepest } = actionsFileLimits
    if (steps > most) faults.push(yaml.faultAt(key, `"${action.action}" comes to more than ${most} steps.`))
    else if (depth > deepest)
      faults.push(yaml.faultAt(key, `The steps of "${action.action}" are nested deeper than ${deepest} levels.`))
  }
}
