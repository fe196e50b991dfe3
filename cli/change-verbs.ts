import { type Change, Refused, type Resource } from '../client/sluice.ts'
import { attributesFrom } from './attributes.ts'
import { attributesOfChange, type CreateOptions, waitFor } from './changes.ts'
import { readInput } from './input.ts'
import { documentText, recordText } from './output.ts'
import { apiPath } from './place.ts'
import { plainLine } from './plain-text.ts'
import { printPlan } from './plans.ts'
import { kindNamed } from './record-kinds.ts'
import type { Terminal } from './terminal.ts'

export interface RetryOptions extends CreateOptions {
  refresh?: boolean
  /** Whether its plan is printed, and nothing is created. */
  plan?: boolean
}

/** Retries a change, or prints the plan of its retry. @returns the exit status */
export async function retryChange(
  terminal: Terminal,
  id: string,
  words: readonly string[],
  options: RetryOptions,
): Promise<number> {
  const { refresh, wait, showSteps: steps = false, showLogs: logs = false } = options
  const attributes = { retry: true, ...(refresh && { refresh_sha: true }), ...attributesOfChange(words, options) }
  const relationships = { change: { data: { type: 'change', id } } }
  if (options.plan) {
    await printPlan(terminal, { path: '/api/changes', attributes, relationships })
    return 0
  }
  const made = (await terminal.sluice.send('POST', '/api/changes', { data: { attributes, relationships } }))!
    .data as Resource<Change>
  if (wait || steps || logs) return waitFor(terminal, made.id, { steps, logs, justMade: true })
  if (terminal.format === 'table') terminal.write(`${made.id}\n`)
  else terminal.write(recordText(kindNamed('change'), made as never, terminal))
  return 0
}

/** Pauses or resumes a change. */
export async function pauseOrResumeChange(
  terminal: Terminal,
  id: string,
  verb: 'pause' | 'resume',
  { reason }: { reason?: string },
): Promise<void> {
  const attributes = reason === undefined ? {} : { reason }
  const { data } = (await terminal.sluice.send('POST', `/api/changes/${id}/${verb}`, { data: { attributes } }))!
  printRecord(terminal, data as Resource, ({ pause_state }) => `Change ${id} is ${pauseStates[String(pause_state)]}.`)
}

const pauseStates: Readonly<Record<string, string>> = { none: 'not paused', pausing: 'pausing', paused: 'paused' }

/** Prints the plan of a change without creating it. */
export async function planChange(
  terminal: Terminal,
  node: string,
  action: string,
  words: readonly string[],
  options: CreateOptions,
): Promise<void> {
  const path = `${apiPath(node)}/changes`
  await printPlan(terminal, { path, attributes: { action, ...attributesOfChange(words, options) } })
}

/** Approves, rejects or continues a waiting step. */
export async function decideOnStep(
  terminal: Terminal,
  id: string,
  verb: 'approve' | 'reject' | 'continue',
  words: readonly string[],
  { message }: { message?: string },
): Promise<void> {
  const given = attributesFrom(
    words.map(word => `input_arguments.${word}`),
    {},
    readInput,
  )
  const attributes = { ...given, ...(message !== undefined && { message }) }
  const { data } = await decided(terminal, `${encodeURIComponent(id)}/${verb}`, attributes).catch(async error => {
    if (verb === 'continue' && isForbidden(error) && (await asksApproval(terminal, id)))
      terminal.say(`The step waits for an approval and cannot be continued: sluice steps approve ${id}, or reject`)
    throw error
  })
  printRecord(terminal, data as Resource, ({ full_path, status_code }) => `${full_path}: ${status_code}`)
}

/** Sends a decision to the step of a change or, if there is none with this id, of a workflow run. */
async function decided(terminal: Terminal, decision: string, attributes: object): Promise<{ data: unknown }> {
  const ask = async (type: string) =>
    (await terminal.sluice.send('POST', `/api/${type}/${decision}`, { data: { attributes } }))!
  try {
    return await ask('steps')
  } catch (error) {
    if (!isMissing(error)) throw error
    return ask('workflow_steps').catch(other => {
      throw isMissing(other) ? error : other
    })
  }
}

/** Whether the step waits for an approval that the caller may give. */
async function asksApproval({ sluice }: Terminal, id: string): Promise<boolean> {
  for (const type of ['steps', 'workflow_steps']) {
    const step = await sluice.find(`/api/${type}/${encodeURIComponent(id)}`)
    if (step) return (step.meta?.['can'] as string[] | undefined)?.includes('approve') === true
  }
  return false
}

const isForbidden = (error: unknown) => error instanceof Refused && error.status === 403
const isMissing = (error: unknown) => error instanceof Refused && error.status === 404

function printRecord(
  terminal: Terminal,
  record: Resource,
  textOf: (attributes: Record<string, unknown>) => string,
): void {
  if (terminal.format === 'table') terminal.write(plainLine(textOf(record.attributes as never)).concat('\n'))
  else terminal.write(documentText({ data: record } as never, terminal.format === 'yaml' ? 'yaml' : 'json'))
}
