import { fromJson } from '../json/from-json.ts'
import { lineText } from './step-display.ts'
import type { StepRecord } from './step-tree.ts'
import type { Terminal } from './terminal.ts'
import { WrongUsage } from './wrong-usage.ts'

/** Maximum number of lines that the service returns at once. */
const mostLines = 10_000

interface LastLines {
  /** Number of lines, as the user wrote it. */
  readonly tail: string
  readonly steps: readonly StepRecord[]
  /** The step whose log is read, with its children; undefined: the whole change. */
  readonly step: StepRecord | undefined
  /** Whether step names are left out. */
  readonly raw: boolean
}

/** Prints the last lines of a log, without reading the others. */
export async function printLastLines(terminal: Terminal, changeId: string, asked: LastLines): Promise<void> {
  const { tail, steps, step, raw } = asked
  const count = /^\d{1,6}$/.test(tail) ? Number(tail) : 0
  if (count < 1 || count > mostLines) throw new WrongUsage(`--tail should be a number from 1 to ${mostLines}.`)
  const path = step
    ? `/api/steps/${step.id}/log?include_child_steps=true&tail=${count}`
    : `/api/changes/${encodeURIComponent(changeId)}/log?tail=${count}`
  const names = new Map(steps.map(({ id, attributes }) => [id, attributes.full_path]))
  const text = await (await terminal.sluice.raw(path)).text()
  for (const json of text.split('\n').slice(0, -1)) {
    const { step_id, message } = fromJson<{ step_id: string | null; message: string }>(json)
    // A retry keeps the log of a step under the id of the step that ran.
    const name = names.get(step_id ?? '') ?? step?.attributes.full_path ?? ''
    terminal.write(lineText(raw ? '' : name, message, terminal.screen.isTerminal))
  }
}
