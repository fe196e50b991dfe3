import { operations } from '../client/generated/api.ts'
import { type Field, matches } from '../client/operation.ts'
import type { Resource } from '../client/sluice.ts'
import { type Change, isFinal, Refused, Unreachable } from '../client/sluice.ts'
import { Interrupted } from './ask.ts'
import { attributesFrom, setWithin, split } from './attributes.ts'
import { allSteps, type Following, followChange } from './follow-change.ts'
import { readInput, sorted } from './input.ts'
import { LogReader } from './log-reader.ts'
import { printLastLines } from './log-tail.ts'
import { documentText, listText, recordText } from './output.ts'
import { apiPath } from './place.ts'
import { plainLine } from './plain-text.ts'
import { printResponse } from './print-response.ts'
import { kindNamed } from './record-kinds.ts'
import { logText } from './step-display.ts'
import { type StepRecord, treeLine } from './step-tree.ts'
import { confirmed, expectUnreadOutput, type Terminal } from './terminal.ts'
import { WrongUsage } from './wrong-usage.ts'

/** Exit status by the final status of a change; 1 for all others. */
const exitStatuses: Record<string, number> = { success: 0, skipped: 0, cancelled: 3, aborted: 3, rejected: 3 }
export const endStatus = (statusCode: string): number => exitStatuses[statusCode] ?? 1
const interruptedStatus = 130

export interface CreateOptions {
  property?: string[]
  setting?: string[]
  skip?: string[]
  metadata?: string[]
  wait?: boolean
  showSteps?: boolean
  showLogs?: boolean
}

/** Creates a change. @returns the exit status */
export async function createChange(
  terminal: Terminal,
  node: string,
  action: string,
  words: readonly string[],
  options: CreateOptions,
): Promise<number> {
  const path = `${apiPath(node)}/changes`
  const isNode = operations.some(each => each.method === 'POST' && matches(each.path, path))
  if (!isNode || !node.startsWith('/'))
    throw new WrongUsage(`"${node}" is not the path of a node. Example: /projects/bank/environments/test/assets/web`)
  const attributes = { action, ...attributesOfChange(words, options) }
  const made = (await terminal.sluice.send('POST', path, { data: { attributes } }))!.data as Resource<Change>
  const { wait, showSteps: steps = false, showLogs: logs = false } = options
  if (wait || steps || logs) return waitFor(terminal, made.id, { steps, logs, justMade: true })
  if (terminal.format === 'table') terminal.write(`${made.id}\n`)
  else terminal.write(recordText(kindNamed('change'), made as never, terminal))
  return 0
}

/** Attributes of a new change or retry, as `activityAttributes` makes them. */
export function attributesOfChange(words: readonly string[], options: CreateOptions): Record<string, unknown> {
  const operation = operations.find(({ method, path }) => method === 'POST' && path === '/api/changes')
  return activityAttributes(words, operation?.attributes ?? {}, options)
}

/**
 * Attributes of a new change or workflow run from arguments `name=value` and from the options for overrides and metadata.
 *
 * @param fields types of the attributes
 * @throws WrongUsage for an argument without `=`
 */
export function activityAttributes(
  words: readonly string[],
  fields: Readonly<Record<string, Field>>,
  { property, setting, metadata, skip }: CreateOptions,
): Record<string, unknown> {
  const { where, given } = sorted(words)
  if (where.length > 0) throw new WrongUsage(`Unexpected argument "${where[0]}". Attributes are written as name=value.`)
  return {
    ...attributesFrom(given, fields, readInput),
    ...withValues('property_overrides', property, split),
    // Setting names contain dots and are not nested.
    ...withValues('settings_overrides', setting, flat),
    ...withValues('metadata', metadata, flat),
    ...(skip && { skip_steps: skip }),
  }
}

/** Waits for a change to end and prints its result. Ctrl-C offers to cancel the change. */
export async function waitFor(
  terminal: Terminal,
  id: string,
  what: Pick<Following, 'steps' | 'logs' | 'justMade'>,
): Promise<number> {
  expectUnreadOutput()
  // With JSON or YAML output, progress goes to standard error and only the final record to standard output.
  const out = terminal.format === 'table' ? process.stdout : process.stderr
  const { change, interrupted } = await interruptible(terminal, id, { ...what, out }).catch(error => {
    throw suggestFollowing(terminal, error, `sluice changes logs --follow ${id}`)
  })
  const { status_code: status, error_message: reason, action } = change.attributes
  if (terminal.format === 'table') {
    const end = isFinal(status) ? 'ended' : 'continues'
    terminal.write(plainLine(`Change ${id} (${action}) ${end}: ${status}${reason ? `, ${reason}` : ''}`).concat('\n'))
  } else terminal.write(recordText(kindNamed('change'), change as never, terminal))
  return interrupted ? interruptedStatus : endStatus(status)
}

/** Prints the command to follow a record after the connection was lost, because its id has not been printed yet. */
export function suggestFollowing(terminal: Terminal, error: unknown, command: string): unknown {
  if (error instanceof Unreachable || (error instanceof Refused && error.status >= 500))
    terminal.say(`Execution continues on the service. To follow it again: ${command}`)
  return error
}

async function interruptible(terminal: Terminal, id: string, how: Following) {
  let stop = new AbortController()
  let interrupted = false
  const onInterrupt = () => {
    // A second Ctrl-C exits at once.
    if (interrupted) process.exit(interruptedStatus)
    interrupted = true
    stop.abort()
  }
  process.on('SIGINT', onInterrupt)
  try {
    const change = await followChange(terminal.sluice, id, { ...how, until: stop.signal })
    if (!interrupted || isFinal(change.attributes.status_code)) return { change, interrupted }
    if (!(await wantsToCancel(id))) {
      terminal.say(`The change continues. To follow it again: sluice changes logs --follow ${id}`)
      return { change, interrupted }
    }
    await cancelled(terminal, id)
    stop = new AbortController()
    return { change: await followChange(terminal.sluice, id, { ...how, until: stop.signal }), interrupted }
  } finally {
    process.off('SIGINT', onInterrupt)
  }
}

async function wantsToCancel(id: string): Promise<boolean> {
  if (!process.stdin.isTTY) return false
  try {
    return await confirmed(`\nCancel change ${id} as well?`)
  } catch (error) {
    if (error instanceof Interrupted) return false
    throw error
  }
}

export async function cancelChange(terminal: Terminal, id: string, { wait }: { wait?: boolean }): Promise<number> {
  await terminal.sluice.call('DELETE /api/changes/{id}', { path: { id } })
  if (!wait) {
    terminal.say(`Change ${id} will be cancelled as soon as its running steps have stopped.`)
    return 0
  }
  const status = await waitFor(terminal, id, { steps: false, logs: false })
  // Cancellation was requested, so it counts as success.
  return status === 3 ? 0 : status
}

/** Cancels a change; it is not an error if the change has already ended. */
async function cancelled(terminal: Terminal, id: string): Promise<void> {
  try {
    await cancelChange(terminal, id, {})
  } catch (error) {
    if (!(error instanceof Refused) || error.status !== 409) throw error
  }
}

export async function changeSteps(terminal: Terminal, id: string): Promise<void> {
  const steps = await allSteps(terminal.sluice, id)
  if (terminal.format === 'table')
    terminal.write(steps.map(step => `${treeLine(step, terminal.screen.isTerminal)}\n`).join(''))
  else terminal.write(listText(kindNamed('step'), steps as never, terminal))
}

/** Prints the log of a change; `follow` continues until it has ended, `raw` prints only the text as it was written. */
export async function changeLogs(
  terminal: Terminal,
  id: string,
  { follow, step, raw, tail }: { follow?: boolean; step?: string; raw?: boolean; tail?: string },
): Promise<number> {
  if (tail !== undefined) return tailOfLog(terminal, id, { follow, step, raw: raw === true, tail })
  if (raw) return rawLog(terminal, id, { follow, step })
  if (follow && terminal.format !== 'table') throw new WrongUsage('--follow prints plain lines; remove --output.')
  if (follow) return waitFor(terminal, id, { steps: false, logs: true })
  const change = await terminal.sluice.call('GET /api/changes/{id}', { path: { id } })
  const steps = await allSteps(terminal.sluice, id)
  const chosen = step ? steps.filter(({ attributes }) => isAt(attributes.full_path, step)) : steps
  if (step && chosen.length === 0) throw noStep(step, steps)
  const records = []
  for await (const line of new LogReader(terminal.sluice, id).fresh(chosen, isFinal(change.attributes.status_code))) {
    if (terminal.format === 'table') terminal.write(logText(line, terminal.screen.isTerminal))
    else records.push(line.record)
  }
  if (terminal.format === 'csv') terminal.write(listText(kindNamed('log_line'), records as never, terminal))
  else if (terminal.format !== 'table') terminal.write(documentText(records, terminal.format))
  return 0
}

async function rawLog(
  terminal: Terminal,
  id: string,
  { follow, step }: { follow: boolean | undefined; step: string | undefined },
): Promise<number> {
  if (follow || terminal.format !== 'table') throw new WrongUsage('--raw cannot be combined with --follow or --output.')
  const text = async (path: string) => printResponse(terminal, await terminal.sluice.raw(path))
  if (!step) {
    await text(`/api/changes/${encodeURIComponent(id)}/log_lines?download=change.log`)
    return 0
  }
  const steps = await allSteps(terminal.sluice, id)
  for (const each of stepsAt(steps, step))
    await text(`/api/steps/${each.id}/log_lines?include_child_steps=true&download=step.log`)
  return 0
}

async function tailOfLog(
  terminal: Terminal,
  id: string,
  { follow, step, raw, tail }: { follow: boolean | undefined; step: string | undefined; raw: boolean; tail: string },
): Promise<number> {
  if (follow || terminal.format !== 'table')
    throw new WrongUsage('--tail cannot be combined with --follow or --output.')
  const steps = await allSteps(terminal.sluice, id)
  const chosen = step === undefined ? [undefined] : stepsAt(steps, step)
  for (const each of chosen) await printLastLines(terminal, id, { tail, steps, step: each, raw })
  return 0
}

/** Steps with this path or this name. */
function stepsAt(steps: readonly StepRecord[], step: string): readonly StepRecord[] {
  const found = steps.filter(({ attributes: { full_path: path } }) => path === step || path.split('/').at(-1) === step)
  if (found.length === 0) throw noStep(step, steps)
  return found
}

function noStep(step: string, steps: readonly StepRecord[]): WrongUsage {
  const paths = steps.map(({ attributes }) => `  ${attributes.full_path}`)
  return new WrongUsage(`The change has no step "${step}". Its steps are:\n${paths.join('\n')}`)
}

const isAt = (fullPath: string, asked: string) =>
  fullPath === asked || fullPath.startsWith(`${asked}/`) || fullPath.split('/').at(-1) === asked

/** Merges assignments such as `a.b=1` and `a.c=2` into one object. */
export function withValues(
  attribute: string,
  words: readonly string[] | undefined,
  read: typeof split,
): Record<string, unknown> {
  if (!words) return {}
  const values: Record<string, unknown> = {}
  for (const word of words) {
    const { name, keys, text } = read(word)
    const { value } = attributesFrom([`value=${text}`], { value: { kind: 'any' } }, readInput)
    setWithin(values, [name, ...keys], value)
  }
  return { [attribute]: values }
}

function flat(word: string): ReturnType<typeof split> {
  const { text } = split(word)
  return { name: word.slice(0, word.length - text.length - 1), keys: [], text }
}
