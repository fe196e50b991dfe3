import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { until } from '../../client/sluice.ts'
import { compiledCode } from '../support/compiled-code.ts'
import type { Ran } from './in-process.ts'
import { isFree, runInProcess } from './in-process.ts'

const program = join(import.meta.dirname, '../../cli/sluice.ts')

export interface RunOptions {
  /** Text written to its standard input. */
  readonly input?: string
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string
  /** Run on a terminal of its own: all output is in `stdout`, and keys can be typed. */
  readonly terminal?: boolean
  /** Called with the running command, to type or to interrupt; it ends by itself. */
  readonly meanwhile?: (running: Running) => Promise<void>
}

export interface Running {
  readonly pid: number
  /** Output so far. */
  shown(): string
  type(keys: string): void
}

/**
 * The command line as people run it, with a home of its own. A command that needs no process (a terminal, input, an
 * interruption) runs in this one if `inProcess` is given.
 */
export interface CommandLine {
  readonly folder: string
  readonly program: string
  /** Whole environment of commands. */
  readonly env: Readonly<Record<string, string>>
  run(args: readonly string[], options?: RunOptions): Promise<Ran>
  remove(): Promise<void>
}

export async function newCommandLine(
  env: Readonly<Record<string, string>> = {},
  { inProcess = false }: { inProcess?: boolean } = {},
): Promise<CommandLine> {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-cli-'))
  const whole = { ...compiledCode, HOME: folder, PATH: process.env['PATH'] ?? '', SHELL: '/bin/sh', ...env }
  return {
    folder,
    program,
    env: whole,
    run: (args, options = {}) => {
      const { terminal, meanwhile, input } = options
      if (inProcess && isFree() && !terminal && !meanwhile && input === undefined)
        return runInProcess(args, { cwd: options.cwd ?? folder, env: { ...whole, ...options.env } })
      const words = [process.execPath, program, ...args]
      // `script` gives a program a terminal, and `stty` sets its size.
      const [command = '', ...rest] = options.terminal
        ? ['script', '-qec', `stty cols 100 rows 30; ${words.map(quoted).join(' ')}`, '/dev/null']
        : words
      return runProgram(command, rest, {
        ...options,
        cwd: options.cwd ?? folder,
        env: { ...whole, ...options.env },
      })
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}

export async function runProgram(command: string, args: readonly string[], options: RunOptions): Promise<Ran> {
  const child = spawn(command, args, { cwd: options.cwd, env: options.env, stdio: ['pipe', 'pipe', 'pipe'] })
  let shown = ''
  child.stdout.setEncoding('utf8').on('data', piece => (shown += piece))
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  if (!options.meanwhile) child.stdin.end(options.input ?? '')
  const [stderr, status] = await Promise.all([
    text(child.stderr),
    ended,
    options.meanwhile?.({ pid: child.pid!, shown: () => shown, type: keys => void child.stdin.write(keys) }),
  ])
  return { status, stdout: shown, stderr }
}

/** Waits until the command has printed it. */
export async function seen(running: Running, what: string): Promise<void> {
  const often = { seconds: 30, pause: 10 }
  await until(
    `"${what}" is shown`,
    async () => running.shown(),
    shown => shown.includes(what),
    often,
  )
}

const quoted = (word: string) => `'${word.replaceAll("'", `'\\''`)}'`
