import { type Action, type ActionReference, nameOf } from './action-reference.ts'
import type { ActionBody } from './declared.ts'
import { declare, type Place } from './declared.ts'
import { type NamedAction, type StepEntry, writtenEntry } from './step-entry.ts'

export interface ActionOptions {
  /** Actions without a description are not listed to people. */
  readonly description?: string
  /** Actions whose bodies run in the same step, before this one's. */
  readonly needs?: readonly ActionReference[]
  /** Steps that run after the body: actions, stages, waits, inputs. */
  readonly steps?: readonly (ActionReference | NamedAction | StepEntry)[]
  /** Order in which its steps run. */
  readonly runAs?: 'sequential' | 'parallel'
  /** Whether its failure is ignored, so that it does not fail the step or stage above it. */
  readonly ignoreFailure?: boolean
  /** Timeout in seconds, after which the step is stopped and fails. */
  readonly timeoutSeconds?: number
}

/**
 * Declares an action.
 *
 * @param body runs as the step's body; an error that it throws fails the step. Without a body the action only has steps
 *   or needs
 */
export function action(name: string, options: ActionOptions, body?: ActionBody): Action
export function action(name: string, body: ActionBody): Action
export function action(name: string, second: ActionOptions | ActionBody, third?: ActionBody): Action {
  const [options, body] = typeof second === 'function' ? [{}, second] : [second, third]
  if (typeof name !== 'string') throw new TypeError('The first argument of action() is its name.')
  if (typeof options !== 'object' || options === null)
    throw new TypeError(`action("${name}"): options come after the name.`)
  if (body !== undefined && typeof body !== 'function')
    throw new TypeError(`action("${name}"): the body is a function of a step.`)
  declare({ name, entry: written(options), body, at: placeOfCaller() })
  return { action: name }
}

/** The options in the form of an actions.yaml; the service reads both by the same rules. */
const written = ({ needs, steps, runAs, ignoreFailure, timeoutSeconds, ...others }: ActionOptions): object => ({
  ...others,
  ...(needs !== undefined && { needs: Array.isArray(needs) ? needs.map(nameOf) : needs }),
  ...(steps !== undefined && { steps: Array.isArray(steps) ? steps.map(writtenEntry) : steps }),
  ...(runAs !== undefined && { run_as: runAs }),
  ...(ignoreFailure !== undefined && { ignore_failure: ignoreFailure }),
  ...(timeoutSeconds !== undefined && { timeout_seconds: timeoutSeconds }),
})

const ownFolder = import.meta.url.slice(0, import.meta.url.lastIndexOf('/') + 1)

/** Place of the call of `action`: the first in the stack outside of this library. */
function placeOfCaller(): Place | undefined {
  for (const [, url, line, column] of (new Error().stack ?? '').matchAll(/(file:\/\/[^\s)]+?):(\d+):(\d+)/g)) {
    if (!url!.startsWith(ownFolder)) return { url: url!, line: Number(line), column: Number(column) }
  }
  return undefined
}
