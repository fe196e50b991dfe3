/** The actions of one folder of one commit, as they are stored: data, none of it has run. */
export interface ActionCatalogue {
  /** Actions in the order of the file. Their names are unique, case-insensitively. */
  readonly actions: readonly ActionDefinition[]
}

export interface ActionDefinition {
  readonly action: string
  /** `name`, or else the action's own. */
  readonly step_name: string
  readonly description: string | null
  /** Actions whose bodies run in the same step, before its own. */
  readonly needs: readonly string[]
  /** The body, if it is a script. */
  readonly run: string | null
  /**
   * The program that declares the body, relative to the repository's root. With neither script nor program there is no
   * body.
   */
  readonly module?: string
  /** The argument vector, which is followed by the body's file as its last argument. */
  readonly interpreter: readonly string[]
  /** Values may contain `{{path}}`, a converged property. */
  readonly env: Readonly<Record<string, string>>
  readonly timeout_seconds: number | null
  readonly ignore_failure: boolean
  readonly run_as: RunAs
  readonly steps: readonly StepEntry[]
}

export type RunAs = 'sequential' | 'parallel'

/** Entry of `steps`: the name of an action, a stage, a wait or an input. */
export type StepEntry = ActionEntry | StageEntry | WaitEntry | InputEntry

interface ActionEntry {
  readonly kind: 'action'
  readonly action: string
  /** Name of the step, instead of the action's own. */
  readonly name?: string
}
interface StageEntry extends Group {
  readonly kind: 'stage'
  readonly run_as: RunAs
  readonly ignore_failure: boolean
}
interface WaitEntry extends Group {
  readonly kind: 'wait'
  readonly seconds: number | null
  /** Time until which it waits (ISO 8601). */
  readonly until: string | null
  readonly approvers: Approvers | null
}
interface InputEntry extends Group {
  readonly kind: 'input'
  readonly arguments: readonly InputArgument[]
}

interface Group {
  readonly name: string
  readonly description: string | null
  /** Steps of a wait or an input, which begin when it has been continued. */
  readonly steps: readonly StepEntry[]
}

export interface Approvers {
  readonly user_names: readonly string[]
  readonly ldap_groups: readonly string[]
  readonly required_approvals: number
}

export const argumentTypes = ['string', 'integer', 'float', 'boolean', 'date', 'array', 'object'] as const
export type ArgumentType = (typeof argumentTypes)[number]

export interface InputArgument {
  readonly name: string
  readonly type: ArgumentType
  readonly required: boolean
  readonly sensitive: boolean
  readonly label?: string
  readonly description?: string
  /** JSON pointer in the change's property overrides under which the value is put. */
  readonly path: string
  readonly default_value?: unknown
  readonly valid_values?: readonly unknown[]
}

const named = new WeakMap<ActionCatalogue, Map<string, ActionDefinition>>()

/** Finds an action by name, case-insensitively. */
export function findAction(catalogue: ActionCatalogue, name: string): ActionDefinition | undefined {
  let byName = named.get(catalogue)
  if (!byName) {
    byName = new Map(catalogue.actions.map(each => [each.action.toLowerCase(), each]))
    named.set(catalogue, byName)
  }
  return byName.get(name.toLowerCase())
}

/** Prerequisites of an action, each once, in the order in which they run: after their own prerequisites. */
export function prerequisitesOf(
  find: (name: string) => ActionDefinition,
  action: ActionDefinition,
): ActionDefinition[] {
  const ordered = new Set<ActionDefinition>()
  const add = (name: string) => {
    const needed = find(name)
    if (ordered.has(needed)) return
    needed.needs.forEach(add)
    ordered.add(needed)
  }
  action.needs.forEach(add)
  return [...ordered]
}
