import { isFinal } from '../client/sluice.ts'
import { EndedSteps } from './followed-steps.ts'
import type { Line } from './log-reader.ts'
import { coloured, cutTo, plainText } from './plain-text.ts'
import { fitted, type StepRecord, treeLine } from './step-tree.ts'
import { say } from './terminal.ts'

/** Options of the display of a change or run in progress, and its terminal. */
export interface Shown {
  readonly steps: boolean
  readonly out: NodeJS.WriteStream
}

export interface Display {
  /** Shows the new state of a step; its earlier log lines have been shown. */
  step(step: StepRecord): void
  line(line: Line): void
  /** Shows why the change or run is waiting. */
  waits(why: string): void
  /** Called at the end of each batch. */
  drawn(steps: readonly StepRecord[]): void
  /** Called once at the end: `final` if the change or run has ended, otherwise following was stopped. */
  ended(steps: readonly StepRecord[], final: boolean): void
}

/**
 * Creates the display. On a terminal, log lines scroll above the tree of steps, which is redrawn in place; in a pipe,
 * each transition of a step is one line.
 */
export const displayOf = (shown: Shown): Display => (shown.out.isTTY ? onTerminal(shown) : inPipe(shown))

export const logText = ({ step, record }: Line, colours: boolean): string =>
  lineText(step, record.attributes.message, colours)

/** Log line with the last name of the full path of its step, if there is one. */
export function lineText(step: string, message: string, colours: boolean): string {
  const name = step.split('/').at(-1) ?? ''
  const label = `${plainText(name)} |`
  return `${name === '' ? '' : `${colours ? coloured(90, label) : label} `}${plainText(message)}\n`
}

function onTerminal({ out, steps: tree }: Shown): Display {
  let drawn: readonly string[] = []
  const erase = () => {
    if (drawn.length > 0) out.write(`\x1b[${drawn.length}A\x1b[J`)
    drawn = []
  }
  const draw = (tree: readonly string[]) => {
    // A wrapped line would break the height of the tree. Some terminals report a width of 0.
    const lines = tree.map(text => `${cutTo(text, (out.columns || 80) - 1)}\n`)
    if (lines.join('') === drawn.join('')) return
    erase()
    out.write(lines.join(''))
    drawn = lines
  }
  const drawFitted = (steps: readonly StepRecord[]) => {
    if (tree) draw(fitted(steps, (out.rows || 24) - 2, true))
  }
  return {
    step: () => {},
    line: line => {
      erase()
      out.write(logText(line, true))
    },
    waits: why => {
      const below = drawn
      erase()
      out.write(`${why}\n`)
      out.write(below.join(''))
      drawn = below
    },
    drawn: drawFitted,
    ended: (steps, final) => {
      if (!final) drawFitted(steps)
      else if (tree) draw(steps.map(step => treeLine(step, true)))
    },
  }
}

function inPipe({ out, steps: tree }: Shown): Display {
  const known = new Map<string, string>()
  const ended = new EndedSteps()
  const print = (step: StepRecord) => {
    const { status_code: status } = step.attributes
    if (!tree || status === (known.get(step.id) ?? 'pending')) return
    known.set(step.id, status)
    out.write(`${treeLine(step, false)}\n`)
  }
  return {
    step: step => {
      if (!isFinal(step.attributes.status_code)) print(step)
      ended.add(step).forEach(print)
    },
    line: line => void out.write(logText(line, false)),
    // On standard error, to keep it out of the output that programs read.
    waits: say,
    drawn: () => {},
    ended: () => ended.rest().forEach(print),
  }
}
