import type { Command } from 'commander'
import type { Sluice } from '../client/sluice.ts'
import { ask } from './ask.ts'
import { type Format, type Screen, screenOf } from './output.ts'
import { session } from './session.ts'

/** Global options. */
export interface GlobalOptions {
  url?: string
  output: Format
}

/** Environment of a command: the client, the output format and the output streams. */
export interface Terminal {
  readonly sluice: Sluice
  readonly format: Format
  readonly screen: Screen
  /** Writes requested output to standard output. */
  write(text: string): void
  /** Writes a message to standard error. */
  say(line: string): void
}

export const terminalFor = ({ url, output }: GlobalOptions): Terminal => ({
  // Created on first use: offline commands need no login.
  get sluice() {
    return session(url)
  },
  format: output,
  screen: screenOf(process.stdout),
  write: text => void process.stdout.write(text),
  say,
})

/** Creates the terminal of a command from its options. */
export type TerminalOf = (command: Command) => Terminal

/** Exit status after SIGPIPE, by convention. */
const unreadStatus = 141

/** Sets a failing exit status in case the reader closes the output before the result of the command is known. */
export function expectUnreadOutput(): void {
  process.exitCode = unreadStatus
}

export const say = (line: string): void => void process.stderr.write(`${line}\n`)

/** Asks for confirmation on a terminal; without one, the answer is yes. */
export async function confirmed(question: string, yes?: boolean): Promise<boolean> {
  if (yes || !process.stdin.isTTY) return true
  return /^y(es)?$/i.test((await ask(`${question} [y/N] `)).trim())
}
