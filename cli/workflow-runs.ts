import { isFinal, type Resource } from '../client/sluice.ts'
import { attributesFrom, split } from './attributes.ts'
import { endStatus, flat, lost, withValues } from './changes.ts'
import { FollowedSteps } from './followed-steps.ts'
import { readInput, sorted } from './input.ts'
import { recordText } from './output.ts'
import { projectPath } from './place.ts'
import { plainLine } from './plain-text.ts'
import { kindNamed } from './record-kinds.ts'
import { displayOf } from './step-display.ts'
import { type StepRecord, treeLine } from './step-tree.ts'
import { endsUnknown, type Terminal } from './terminal.ts'
import { tellingWhyItWaits } from './why-it-waits.ts'
import { WrongUsage } from './wrong-usage.ts'

export interface RunOptions {
  property?: string[]
  skip?: string[]
  metadata?: string[]
  wait?: boolean
  showSteps?: boolean
}

interface Run {
  readonly status_code: string
  readonly error_message: string | null
  readonly workflow_code: string
  readonly version: number
}

/** Runs a workflow of a project. @returns the status that the command ends with */
export async function createRun(
  terminal: Terminal,
  project: string,
  workflow: string,
  words: readonly string[],
  options: RunOptions,
): Promise<number> {
  const path = `${projectPath(project)}/workflows/${encodeURIComponent(workflow)}/runs`
  return made(terminal, path, { attributes: attributesOf(words, options) }, options)
}

/** Runs again what of a run did not succeed, as a new run. @returns the status that the command ends with */
export async function retryRun(
  terminal: Terminal,
  id: string,
  words: readonly string[],
  options: RunOptions,
): Promise<number> {
  const attributes = { retry: true, ...attributesOf(words, options) }
  const relationships = { workflow_run: { data: { type: 'workflow_run', id } } }
  return made(terminal, '/api/workflow_runs', { attributes, relationships }, options)
}

function attributesOf(words: readonly string[], options: RunOptions): Record<string, unknown> {
  const { where, given } = sorted(words)
  if (where.length > 0) throw new WrongUsage(`What is "${where[0]}"? Attributes are name=value.`)
  return {
    ...attributesFrom(given, { version: { kind: 'integer' }, run_at: { kind: 'text' } }, readInput),
    ...withValues('property_overrides', options.property, split),
    ...withValues('metadata', options.metadata, flat),
    ...(options.skip && { skip_steps: options.skip }),
  }
}

async function made(terminal: Terminal, path: string, data: object, options: RunOptions): Promise<number> {
  const { id } = (await terminal.sluice.send('POST', path, { data }))!.data as unknown as Resource<Run>
  const { wait, showSteps: steps = false } = options
  if (wait || steps) return waitForRun(terminal, id, { steps, justMade: true })
  if (terminal.format === 'table') terminal.write(`${id}\n`)
  else terminal.write(recordText(kindNamed('workflow_run'), (await show(terminal, id)) as never, terminal))
  return 0
}

/** Waits until a run has ended, and says how; its steps are shown meanwhile where they are asked for. */
export async function waitForRun(
  terminal: Terminal,
  id: string,
  { steps, justMade }: { steps: boolean; justMade?: boolean },
): Promise<number> {
  endsUnknown()
  const path = `/api/workflow_runs/${encodeURIComponent(id)}`
  const display = displayOf({ steps, out: terminal.format === 'table' ? process.stdout : process.stderr })
  const known = new FollowedSteps()
  const follow = async () => {
    for await (const batch of terminal.sluice.live(`${path}/live`, { log_lines: false }, undefined, justMade)) {
      for (const { kind, data } of batch) {
        if (kind !== 'workflow_step') continue
        const step = asStep(data as RunStepRecord)
        known.is(step)
        display.step(step)
      }
      display.drawn(known.inOrder())
    }
    return show(terminal, id)
  }
  const run = await tellingWhyItWaits(terminal.sluice, path, display.waits, follow).catch(error => {
    throw lost(terminal, error, `sluice workflow-runs wait --show-steps ${id}`)
  })
  display.ended(known.inOrder(), isFinal(run.attributes.status_code))
  const { status_code: status, error_message: reason, workflow_code: code, version } = run.attributes
  if (terminal.format === 'table') {
    const end = isFinal(status) ? 'ended' : 'goes on'
    terminal.write(
      `${plainLine(`The run ${id} (${code}, version ${version}) ${end}: ${status}${reason ? `, ${reason}` : ''}`)}\n`,
    )
  } else terminal.write(recordText(kindNamed('workflow_run'), run as never, terminal))
  return endStatus(status)
}

/** Its steps, as a tree. */
export async function runSteps(terminal: Terminal, id: string): Promise<void> {
  for await (const { data } of terminal.sluice.pages(`/api/workflow_runs/${encodeURIComponent(id)}/steps`, {
    limit: 1_000,
  }))
    for (const step of data as unknown as RunStepRecord[])
      terminal.write(`${treeLine(asStep(step), terminal.screen.isTerminal)}\n`)
}

/** Stops it with what it has made, holds it, or lets it go on. */
export async function steerRun(
  terminal: Terminal,
  id: string,
  how: 'cancel' | 'pause' | 'resume',
  { reason }: { reason?: string } = {},
): Promise<void> {
  const path = `/api/workflow_runs/${encodeURIComponent(id)}`
  if (how === 'cancel') await terminal.sluice.send('DELETE', path)
  else await terminal.sluice.send('POST', `${path}/${how}`, { data: { attributes: reason ? { reason } : {} } })
  terminal.say(`The run ${id} ${steered[how]}.`)
}

const steered = {
  cancel: 'is cancelled, or will be as soon as nothing of it runs',
  pause: 'is paused, or will be as soon as none of its steps runs',
  resume: 'goes on',
} as const

type RunStepRecord = Omit<StepRecord, 'attributes'> & {
  readonly attributes: Omit<StepRecord['attributes'], 'step_name'> & { readonly name: string }
}

const asStep = (step: RunStepRecord): StepRecord => ({
  ...step,
  attributes: { ...step.attributes, step_name: step.attributes.name } as StepRecord['attributes'],
})

const show = (terminal: Terminal, id: string): Promise<Resource<Run>> =>
  terminal.sluice.show<Run>(`/api/workflow_runs/${encodeURIComponent(id)}`)
