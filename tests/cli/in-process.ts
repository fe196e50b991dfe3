import { AsyncLocalStorage } from 'node:async_hooks'
import { runCommandLine } from '../../cli/command-line.ts'

export interface Ran {
  /** Null if a signal ended it. */
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
}

interface Output {
  stdout: string
  stderr: string
}

const outputs = new AsyncLocalStorage<Output>()

/** Output of the command is captured; output of others meanwhile (the reporter of tests) passes through. */
function capture(name: keyof Output): void {
  const stream = process[name]
  const write = stream.write.bind(stream) as (...args: unknown[]) => boolean
  stream.write = (chunk: string | Uint8Array, ...rest: unknown[]) => {
    const output = outputs.getStore()
    if (!output) return write(chunk, ...rest)
    output[name] += Buffer.from(chunk as string).toString()
    const written = rest.find(each => typeof each === 'function') as (() => void) | undefined
    if (written) setImmediate(written)
    return true
  }
}
capture('stdout')
capture('stderr')

/** Variables that the command line reads, in addition to those that every process has. */
const own = /^(SLUICE_.*|XDG_CONFIG_HOME|APPDATA|NO_COLOR|FORCE_COLOR|HOME|SHELL)$/

let running = false

/** Whether a command may run in this process: one at a time, because it uses the process's folder and environment. */
export const isFree = (): boolean => !running

/** Runs a command of the command line in this process: starting another takes thirty times as long. */
export async function runInProcess(
  args: readonly string[],
  { cwd, env }: { cwd: string; env: Readonly<Record<string, string>> },
): Promise<Ran> {
  running = true
  const before = { argv: process.argv, cwd: process.cwd(), exitCode: process.exitCode, env: ownVariables() }
  const output = { stdout: '', stderr: '' }
  try {
    process.chdir(cwd)
    process.argv = [process.execPath, 'sluice', ...args]
    setOwnVariables(env)
    const status = await outputs.run(output, () => runCommandLine(process.argv))
    return { status, ...output }
  } finally {
    setOwnVariables(before.env)
    process.argv = before.argv
    process.exitCode = before.exitCode
    process.chdir(before.cwd)
    running = false
  }
}

const ownVariables = (): Record<string, string> =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => own.test(name))) as Record<string, string>

function setOwnVariables(env: Readonly<Record<string, string>>): void {
  for (const name of Object.keys(process.env)) if (own.test(name)) delete process.env[name]
  for (const [name, value] of Object.entries(env)) if (own.test(name)) process.env[name] = value
}
