import { type Change, isFinal, type Resource, type Sluice } from '../../client/sluice.ts'

interface Step {
  step_name: string
  full_path: string
  status_code: string
  error_message: string | null
  exit_code: number | null
  started_at: string | null
  finished_at: string | null
}
interface LogLine {
  message: string
  category: string
  step_id: string
}

const marks: Record<string, [mark: string, colour: number]> = {
  pending: ['·', 90],
  queued: ['·', 90],
  running: ['▸', 36],
  waiting: ['…', 33],
  success: ['✔', 32],
  skipped: ['-', 90],
  error: ['✘', 31],
  cancelled: ['■', 33],
  aborted: ['■', 33],
  system_error: ['✘', 31],
}

/**
 * Shows a change's steps and log as they come, until it has ended: on a terminal the log scrolls above the tree, which
 * is drawn anew in place; in a pipe each transition of a step is a line of its own.
 */
export async function showChange(sluice: Sluice, id: string, out: NodeJS.WriteStream): Promise<Resource<Change>> {
  const screen = out.isTTY ? onTerminal(out) : inPipe(out)
  const linesSeen = new Set<string>()
  for (;;) {
    // The change first: what is read after it cannot be older than the end that it reports.
    const change = await sluice.show<Change>(`/api/changes/${id}`)
    const steps = await sluice.list<Step>(`/api/changes/${id}/steps`)
    const lines = await sluice.list<LogLine>(`/api/changes/${id}/log_lines`)
    const fresh = lines.filter(line => !linesSeen.has(line.id))
    for (const line of fresh) linesSeen.add(line.id)
    const names = new Map(steps.map(step => [step.id, step.attributes.step_name]))
    screen.show(
      steps.map(step => step.attributes),
      fresh.map(({ attributes }) => ({ step: names.get(attributes.step_id) ?? '', message: attributes.message })),
    )
    if (isFinal(change.attributes.status_code)) return change
    await new Promise(resolve => setTimeout(resolve, 150))
  }
}

interface Screen {
  show(steps: readonly Step[], lines: readonly { step: string; message: string }[]): void
}

function onTerminal(out: NodeJS.WriteStream): Screen {
  let drawn = 0
  // Some terminals do not say how wide they are, or say 0.
  const width = () => out.columns || 80
  return {
    show: (steps, lines) => {
      const up = drawn > 0 ? `\x1b[${drawn}A\x1b[J` : ''
      const log = lines.map(({ step, message }) => `  ${coloured(90, `${step} |`)} ${message}\n`)
      const tree = steps.map(step => `${cut(`  ${treeLine(step, true)}`, width())}\n`)
      out.write(up + log.join('') + tree.join(''))
      drawn = tree.length
    },
  }
}

function inPipe(out: NodeJS.WriteStream): Screen {
  const known = new Map<string, string>()
  return {
    show: (steps, lines) => {
      const news = steps.filter(step => step.status_code !== (known.get(step.full_path) ?? 'pending'))
      for (const step of news) known.set(step.full_path, step.status_code)
      const write = (step: Step) => out.write(`  ${treeLine(step, false)}\n`)
      // What began, what it said, how it ended: children end before their parents.
      news.filter(step => !isFinal(step.status_code)).forEach(write)
      for (const { step, message } of lines) out.write(`      ${step} | ${message}\n`)
      news
        .filter(step => isFinal(step.status_code))
        .toReversed()
        .forEach(write)
    },
  }
}

function treeLine(step: Step, colours: boolean): string {
  const [mark, colour] = marks[step.status_code] ?? ['?', 0]
  const depth = step.full_path.split('/').length - 1
  const why = [step.status_code, duration(step), step.error_message].filter(Boolean)
  const text = `${'  '.repeat(depth)}${mark} ${step.step_name}  ${why.join(', ')}`
  return colours ? coloured(colour, text) : text
}

/** For the eye: milliseconds are enough. */
function duration({ started_at: start, finished_at: end }: Step): string | undefined {
  return start && end ? `${((Date.parse(end) - Date.parse(start)) / 1_000).toFixed(1)} s` : undefined
}

const coloured = (colour: number, text: string) => (process.env['NO_COLOR'] ? text : `\x1b[${colour}m${text}\x1b[0m`)

/** A line that wraps would make the tree's height wrong. Colour codes take no room. */
function cut(line: string, columns: number): string {
  let room = columns - 1
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the codes are what is looked for
  return line.replaceAll(/\x1b\[\d*m|./gsu, piece => (piece.startsWith('\x1b') ? piece : room-- > 0 ? piece : ''))
}
