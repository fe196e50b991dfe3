import { isFinal, type Resource } from '../client/sluice.ts'
import { activityAttributes, endStatus, suggestFollowing } from './changes.ts'
import { FollowedSteps } from './followed-steps.ts'
import { listText, recordText } from './output.ts'
import { projectPath } from './place.ts'
import { plainLine } from './plain-text.ts'
import { printPlan } from './plans.ts'
import { kindNamed } from './record-kinds.ts'
import { displayOf } from './step-display.ts'
import { type StepRecord, treeLine } from './step-tree.ts'
import { expectUnreadOutput, type Terminal } from './terminal.ts'
import { reportingWaitReasons } from './wait-reasons.ts'

export interface RunOptions {
  property?: string[]
  skip?: string[]
  metadata?: string[]
  wait?: boolean
  showSteps?: boolean
  /** Whether the plan of a retry is printed, and nothing is created. */
  plan?: boolean
}

interface Run {
  readonly status_code: string
  readonly error_message: string | null
  readonly workflow_code: string
  readonly version: number
}

/** Runs a workflow of a project. @returns the exit status */
export async function createRun(
  terminal: Terminal,
  project: string,
  workflow: string,
  words: readonly string[],
  options: RunOptions,
): Promise<number> {
  return made(terminal, pathOfRuns(project, workflow), { attributes: attributesOf(words, options) }, options)
}

const pathOfRuns = (project: string, workflow: string): string =>
  `${projectPath(project)}/workflows/${encodeURIComponent(workflow)}/runs`

/** Prints the plan of a run without creating it. */
export async function planOfRun(
  terminal: Terminal,
  project: string,
  workflow: string,
  words: readonly string[],
  options: RunOptions,
): Promise<void> {
  await printPlan(terminal, { path: pathOfRuns(project, workflow), attributes: attributesOf(words, options) })
}

/** Retries a run as a new run, or prints the plan of the retry. @returns the exit status */
export async function retryRun(
  terminal: Terminal,
  id: string,
  words: readonly string[],
  options: RunOptions,
): Promise<number> {
  const attributes = { retry: true, ...attributesOf(words, options) }
  const relationships = { workflow_run: { data: { type: 'workflow_run', id } } }
  if (options.plan) {
    await printPlan(terminal, { path: '/api/workflow_runs', attributes, relationships })
    return 0
  }
  return made(terminal, '/api/workflow_runs', { attributes, relationships }, options)
}

const attributesOf = (words: readonly string[], options: RunOptions): Record<string, unknown> =>
  activityAttributes(words, fields, options)

const fields = { version: { kind: 'integer' }, run_at: { kind: 'text' }, plan_sha: { kind: 'text' } } as const

async function made(terminal: Terminal, path: string, data: object, options: RunOptions): Promise<number> {
  const { id } = (await terminal.sluice.send('POST', path, { data }))!.data as unknown as Resource<Run>
  const { wait, showSteps: steps = false } = options
  if (wait || steps) return waitForRun(terminal, id, { steps, justMade: true })
  if (terminal.format === 'table') terminal.write(`${id}\n`)
  else terminal.write(recordText(kindNamed('workflow_run'), (await show(terminal, id)) as never, terminal))
  return 0
}

/** Waits for a run to end, showing its steps if requested, and prints its result. */
export async function waitForRun(
  terminal: Terminal,
  id: string,
  { steps, justMade }: { steps: boolean; justMade?: boolean },
): Promise<number> {
  expectUnreadOutput()
  const path = `/api/workflow_runs/${encodeURIComponent(id)}`
  const display = displayOf({ steps, out: terminal.format === 'table' ? process.stdout : process.stderr })
  const known = new FollowedSteps()
  const follow = async () => {
    for await (const batch of terminal.sluice.live(`${path}/live`, { log_lines: false }, { retryFirst: justMade })) {
      for (const { kind, data } of batch) {
        if (kind !== 'workflow_step') continue
        const step = asStep(data as RunStepRecord)
        known.add(step)
        display.step(step)
      }
      display.drawn(known.inOrder())
    }
    return show(terminal, id)
  }
  const run = await reportingWaitReasons(terminal.sluice, path, display.waits, follow).catch(error => {
    throw suggestFollowing(terminal, error, `sluice workflow-runs wait --show-steps ${id}`)
  })
  display.ended(known.inOrder(), isFinal(run.attributes.status_code))
  const { status_code: status, error_message: reason, workflow_code: code, version } = run.attributes
  if (terminal.format === 'table') {
    const end = isFinal(status) ? 'ended' : 'continues'
    terminal.write(
      `${plainLine(`Run ${id} (${code}, version ${version}) ${end}: ${status}${reason ? `, ${reason}` : ''}`)}\n`,
    )
  } else terminal.write(recordText(kindNamed('workflow_run'), run as never, terminal))
  return endStatus(status)
}

/** Prints the steps of a run as a tree; in other formats as records. */
export async function runSteps(terminal: Terminal, id: string): Promise<void> {
  const path = `/api/workflow_runs/${encodeURIComponent(id)}/steps`
  const steps: RunStepRecord[] = []
  for await (const { data } of terminal.sluice.pages(path, { limit: 1_000 }))
    steps.push(...(data as unknown as RunStepRecord[]))
  if (terminal.format !== 'table') terminal.write(listText(kindNamed('workflow_step'), steps as never, terminal))
  else terminal.write(steps.map(step => `${treeLine(asStep(step), terminal.screen.isTerminal)}\n`).join(''))
}

/** Cancels, pauses or resumes a run. */
export async function controlRun(
  terminal: Terminal,
  id: string,
  verb: 'cancel' | 'pause' | 'resume',
  { reason }: { reason?: string } = {},
): Promise<void> {
  const path = `/api/workflow_runs/${encodeURIComponent(id)}`
  if (verb === 'cancel') await terminal.sluice.send('DELETE', path)
  else await terminal.sluice.send('POST', `${path}/${verb}`, { data: { attributes: reason ? { reason } : {} } })
  terminal.say(`Run ${id} ${controlled[verb]}.`)
}

const controlled = {
  cancel: 'will be cancelled as soon as its running steps have stopped',
  pause: 'will be paused as soon as its running steps have finished',
  resume: 'continues',
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
