import type { Command } from 'commander'
import type { Sluice } from '../client/sluice.ts'
import { ask } from './ask.ts'
import { type Format, type Screen, screenOf } from './output.ts'
import { session } from './session.ts'

/** Options that every command takes. */
export interface Everywhere {
  url?: string
  output: Format
}

/** What a command works with: the service as who signed in, and where its words go. */
export interface Terminal {
  readonly sluice: Sluice
  readonly format: Format
  readonly screen: Screen
  /** What was asked for. */
  write(text: string): void
  /** What is said besides: never part of the output that a program reads. */
  say(line: string): void
}

export const terminalFor = ({ url, output }: Everywhere): Terminal => ({
  // Asked for by what needs it: what was exported is proved without any.
  get sluice() {
    return session(url)
  },
  format: output,
  screen: screenOf(process.stdout),
  write: text => void process.stdout.write(text),
  say,
})

/** The terminal of a command, by the options that it was called with. */
export type TerminalOf = (command: Command) => Terminal

/** How programs end that write to whoever has stopped reading. */
const unreadStatus = 141

/** For commands whose status says how something went: one whose reader stops before that is known has not seen it go well. */
export function endsUnknown(): void {
  process.exitCode = unreadStatus
}

export const say = (line: string): void => void process.stderr.write(`${line}\n`)

/** On a terminal only: a script has said what it wants. */
export async function confirmed(question: string, yes?: boolean): Promise<boolean> {
  if (yes || !process.stdin.isTTY) return true
  return /^y(es)?$/i.test((await ask(`${question} [y/N] `)).trim())
}
