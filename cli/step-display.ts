import { isFinal } from '../client/sluice.ts'
import { EndedSteps } from './followed-steps.ts'
import type { Line } from './log-reader.ts'
import { coloured, cutTo, plainText } from './plain-text.ts'
import { fitted, type StepRecord, treeLine } from './step-tree.ts'
import { say } from './terminal.ts'

/** What is shown of a change or a run as it goes on, and where. */
export interface Shown {
  readonly steps: boolean
  readonly out: NodeJS.WriteStream
}

export interface Display {
  /** A step has news; what it wrote before that has come before. */
  step(step: StepRecord): void
  line(line: Line): void
  /** Why it does not go on. */
  waits(why: string): void
  /** What came at once has been told. */
  drawn(steps: readonly StepRecord[]): void
  /** Nothing more comes: because the change has ended, or because nobody waits any longer. */
  ended(steps: readonly StepRecord[], final: boolean): void
}

/**
 * On a terminal log lines scroll above the tree of steps, which is drawn anew in its place; in a pipe each transition of a
 * step is a line of its own.
 */
export const displayOf = (shown: Shown): Display => (shown.out.isTTY ? onTerminal(shown) : inPipe(shown))

export const logText = ({ step, record }: Line, colours: boolean): string => {
  const name = step.split('/').at(-1) ?? ''
  const label = `${plainText(name)} |`
  return `${name === '' ? '' : `${colours ? coloured(90, label) : label} `}${plainText(record.attributes.message)}\n`
}

function onTerminal({ out, steps: tree }: Shown): Display {
  let drawn: readonly string[] = []
  const rub = () => {
    if (drawn.length > 0) out.write(`\x1b[${drawn.length}A\x1b[J`)
    drawn = []
  }
  const draw = (tree: readonly string[]) => {
    // A line that wraps would make the tree's height wrong. Some terminals say that they are 0 wide.
    const lines = tree.map(text => `${cutTo(text, (out.columns || 80) - 1)}\n`)
    if (lines.join('') === drawn.join('')) return
    rub()
    out.write(lines.join(''))
    drawn = lines
  }
  const drawFitted = (steps: readonly StepRecord[]) => {
    if (tree) draw(fitted(steps, (out.rows || 24) - 2, true))
  }
  return {
    step: () => {},
    line: line => {
      rub()
      out.write(logText(line, true))
    },
    waits: why => {
      const below = drawn
      rub()
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
  const tell = (step: StepRecord) => {
    const { status_code: status } = step.attributes
    if (!tree || status === (known.get(step.id) ?? 'pending')) return
    known.set(step.id, status)
    out.write(`${treeLine(step, false)}\n`)
  }
  return {
    step: step => {
      if (!isFinal(step.attributes.status_code)) tell(step)
      ended.is(step).forEach(tell)
    },
    line: line => void out.write(logText(line, false)),
    // Beside what a program may read.
    waits: say,
    drawn: () => {},
    ended: () => ended.rest().forEach(tell),
  }
}
