import { mostSearched, nearestTo } from '#platform/nearest-name.ts'
import type { FileFault } from '../files/file-fault.ts'
import type { YamlFile } from '../files/yaml-file.ts'
import { type ActionDefinition, prerequisitesOf, type StepEntry } from './action.ts'

/**
 * Limits: bytes of an actions file, bytes of a program's declarations, actions in either, steps of one action with all
 * descendants, steps of all actions together, and characters of the scripts of one action's steps: a script is stored
 * with each step.
 */
export const actionsFileLimits = {
  bytes: 1_048_576,
  declared: 8_388_608,
  actions: 20_000,
  steps: 20_000,
  allSteps: 200_000,
  scripts: 67_108_864,
  depth: 64,
} as const

/** An action with the places for later faults. */
export interface ReadAction {
  readonly action: ActionDefinition
  readonly yaml: YamlFile
  readonly key: unknown
  /** References to other actions: the name, its node, and whether it is a prerequisite or a step. */
  readonly uses: readonly { readonly name: string; readonly node: unknown; readonly as: 'need' | 'step' }[]
}

/** Checks all actions together, whatever their sources, and adds their faults to `faults`. */
export function checkActions(actions: readonly ReadAction[], faults: FileFault[]): void {
  refuseTwins(actions, faults)
  if (faults.length === 0) checkReferences(actions, faults)
  if (faults.length === 0) checkSizes(actions, faults)
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

/** Checks that every referenced action exists, that prerequisites have no steps, and that no action contains itself. */
function checkReferences(actions: readonly ReadAction[], faults: FileFault[]): void {
  const byName = new Map(actions.map(each => [each.action.action.toLowerCase(), each]))
  const names = actions.map(each => each.action.action)
  const search = mostSearched()
  for (const { uses, yaml } of actions)
    for (const { name, node, as } of uses) {
      const used = byName.get(name.toLowerCase())
      if (!used) {
        const nearest = nearestTo(name, names, search)
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

/** Faults of reference cycles: one per cycle, at the reference that closes it. */
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

export interface Size {
  readonly steps: number
  readonly depth: number
  readonly scripts: number
}

/**
 * Sizes of actions and of lists of steps. A short file can expand to very many steps, so each action is counted once,
 * however often it is used.
 */
export function sizesIn(find: (name: string) => ActionDefinition): {
  ofAction: (action: ActionDefinition) => Size
  /** Entries with the step that contains them. */
  ofEntries: (entries: readonly StepEntry[]) => Size
} {
  const sizes = new Map<ActionDefinition, Size>()
  const ofAction = (action: ActionDefinition): Size => {
    const known = sizes.get(action)
    if (known) return known
    const below = ofEntries(action.steps)
    const bodies = [...prerequisitesOf(find, action), action]
    const size = { ...below, scripts: bodies.reduce((sum, body) => sum + scriptOf(body), below.scripts) }
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
  return { ofAction, ofEntries }
}

function checkSizes(actions: readonly ReadAction[], faults: FileFault[]): void {
  const byName = new Map(actions.map(({ action }) => [action.action.toLowerCase(), action]))
  const { ofAction } = sizesIn(name => byName.get(name.toLowerCase())!)
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
