import type { ActionReference } from './action-reference.ts'

/** A stage, a wait or an input, as an entry of an action's steps. */
export interface StepEntry {
  /** Step in the form of an actions.yaml. */
  readonly written: object
}

/** An action as a step under a name of its own: `{ action: restart, name: 'Restart web-1' }`. */
export interface NamedAction {
  readonly action: ActionReference
  readonly name: string
}

type Steps = readonly (ActionReference | NamedAction | StepEntry)[]

export interface StageOptions {
  readonly steps: Steps
  readonly runAs?: 'sequential' | 'parallel'
  readonly ignoreFailure?: boolean
  readonly description?: string
}

export interface WaitOptions {
  /**
   * Time until it continues by itself: after a number of seconds, or at a time (ISO 8601). Otherwise a person continues
   * it.
   */
  readonly seconds?: number
  readonly until?: string
  /** Makes it an approval. */
  readonly approvers?: Approvers
  readonly steps?: Steps
  readonly description?: string
}

export interface Approvers {
  readonly userNames?: readonly string[]
  readonly ldapGroups?: readonly string[]
  readonly requiredApprovals?: number
}

export interface InputOptions {
  readonly arguments: readonly InputArgument[]
  readonly steps?: Steps
  readonly description?: string
}

export interface InputArgument {
  readonly name: string
  readonly type?: 'string' | 'integer' | 'float' | 'boolean' | 'date' | 'array' | 'object'
  readonly required?: boolean
  readonly sensitive?: boolean
  readonly label?: string
  readonly description?: string
  /** JSON pointer in the change's property overrides under which the value is put. */
  readonly path?: string
  readonly defaultValue?: unknown
  readonly validValues?: readonly unknown[]
}

/** A group of steps with a name, which run one after the other or at the same time. */
export const stage = (name: string, options: StageOptions): StepEntry => ({
  written: { name, ...inWriting(options) },
})

/** Waits until a person continues or approves it, or until a time. */
export const wait = (name: string, options: WaitOptions = {}): StepEntry => ({
  written: {
    wait: name,
    ...inWriting(options),
    ...(options.approvers !== undefined && { approvers: renamed(options.approvers) }),
  },
})

/** Asks a person for values, which are stored in the change's property overrides. */
export const input = (name: string, options: InputOptions): StepEntry => ({
  written: {
    input: name,
    ...inWriting(options),
    arguments: Array.isArray(options?.arguments) ? options.arguments.map(renamed) : options?.arguments,
  },
})

/** @throws TypeError for an invalid step, which a program without a type check may pass */
export function writtenEntry(entry: ActionReference | NamedAction | StepEntry): unknown {
  if (typeof entry !== 'object' || entry === null) return entry
  if ('written' in entry) return entry.written
  const { action, name, ...others } = entry as NamedAction
  const more = Object.keys(others).join(', ')
  if (action === undefined || more !== '') {
    const what = 'A step is an action, its name, { action, name }, or what stage(…), wait(…) and input(…) answer'
    throw new TypeError(`${what}; one has ${more === '' ? 'no action' : more}.`)
  }
  return name === undefined ? writtenEntry(action) : { action: writtenEntry(action), name }
}

const inWriting = ({ steps, ...others }: { steps?: Steps }): object => ({
  ...renamed(others),
  ...(steps !== undefined && { steps: Array.isArray(steps) ? steps.map(writtenEntry) : steps }),
})

/** `runAs` becomes `run_as`. Only the keys of the object itself: those of nested objects are the author's. */
const renamed = (options: object): object =>
  Object.fromEntries(
    Object.entries(options ?? {}).map(([key, value]) => [
      key.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`),
      value,
    ]),
  )
