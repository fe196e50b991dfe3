import type { Step } from '../client/generated/api.ts'
import type { Resource } from '../client/sluice.ts'
import { isFinal } from '../client/sluice.ts'
import { coloured, plainLine } from './plain-text.ts'

export type StepRecord = Resource<Step>

/** Mark and SGR color by status; statuses of later versions have neither. */
const marks: Record<string, readonly [mark: string, colour: number]> = {
  initializing: ['·', 90],
  pending: ['·', 90],
  queued: ['·', 90],
  running: ['▸', 36],
  waiting: ['…', 33],
  waiting_for_approval: ['…', 33],
  success: ['✔', 32],
  skipped: ['-', 90],
  error: ['✘', 31],
  cancelled: ['■', 33],
  aborted: ['■', 33],
  rejected: ['■', 33],
  system_error: ['✘', 31],
}

/** Renders one step: `  ✔ copy-files  success, 0.4 s`. */
export function treeLine({ attributes: step }: StepRecord, colours: boolean): string {
  const [mark, colour] = marks[step.status_code] ?? ['?', 0]
  const depth = step.full_path.split('/').length - 1
  const why = [step.status_code, duration(step), step.error_message].filter(Boolean).join(', ')
  const text = plainLine(`${'  '.repeat(depth)}${mark} ${step.step_name}  ${why}`)
  return colours ? coloured(colour, text) : text
}

/**
 * Renders a tree in at most `lines` lines. If it is too tall, running, waiting and failed steps take precedence, and a
 * last line counts the hidden ones.
 */
export function fitted(steps: readonly StepRecord[], lines: number, colours: boolean): string[] {
  if (steps.length <= lines) return steps.map(step => treeLine(step, colours))
  const ended = steps.filter(({ attributes }) => isFinal(attributes.status_code)).length
  const interesting = (step: StepRecord) =>
    ['running', 'waiting', 'waiting_for_approval', 'error', 'system_error'].includes(step.attributes.status_code)
      ? 0
      : 1
  const kept = new Set(
    steps
      .map((step, i) => ({ step, i }))
      .sort((a, b) => interesting(a.step) - interesting(b.step) || a.i - b.i)
      .slice(0, Math.max(1, lines - 1))
      .map(({ step }) => step),
  )
  return [
    ...steps.filter(step => kept.has(step)).map(step => treeLine(step, colours)),
    `${ended} of ${steps.length} steps have ended; ${steps.length - kept.size} not shown`,
  ]
}

/** Duration in seconds with one decimal. */
function duration({ started_at: start, finished_at: end }: Step): string | undefined {
  return start && end ? `${((Date.parse(end) - Date.parse(start)) / 1_000).toFixed(1)} s` : undefined
}
