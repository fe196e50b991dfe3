import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process'
import type { Socket } from 'node:net'
import type { Readable } from 'node:stream'
import { startOf } from '../sandbox/processes.ts'
import { Output } from './body-output.ts'
import { hostDescriptors } from './module-protocol.ts'
import type { End, ProcessSupervisor, Program, Root, SupervisorPlace } from './supervised-program.ts'

/**
 * Runs a program by itself, on hosts without perl. Processes that it starts are found by session and by mark alone, so
 * each program runs in a process and with pipes of its own.
 */
export class PlainProcess implements ProcessSupervisor {
  readonly usable = false
  readonly #place: SupervisorPlace
  readonly #more: 0 | 2
  #child: ChildProcess | undefined
  #output: Output | undefined

  constructor(place: SupervisorPlace, more: 0 | 2) {
    this.#place = place
    this.#more = more
  }

  get root(): Root {
    const pid = this.#child?.pid ?? -1
    return { pid, started: startOf(pid) ?? 0 }
  }

  get output(): Output {
    return this.#output!
  }

  get messages(): Socket {
    return (this.#child!.stdio as unknown[])[hostDescriptors.messages] as Socket
  }

  run({ argv, cwd, env }: Program): Promise<End> {
    const { sandbox, runAs, intake } = this.#place
    const [program, ...args] = [...sandbox, ...argv]
    const stdio: StdioOptions = [
      'ignore',
      'pipe',
      'pipe',
      ...(this.#more === 0 ? [] : (['ignore', 'pipe', 'pipe'] as const)),
    ]
    const child = spawn(program!, args, {
      ...(runAs && { uid: runAs.uid, gid: runAs.gid }),
      cwd,
      env,
      detached: true,
      stdio,
    })
    this.#child = child
    const action = this.#more === 0 ? {} : { action: child.stdio[hostDescriptors.log] as Readable }
    this.#output = new Output(intake, { stdout: child.stdout!, stderr: child.stderr!, ...action })
    return new Promise(resolve => {
      child.once('error', error =>
        resolve({ code: 127, signal: null, why: `${program} could not be started: ${error.message}`, alone: true }),
      )
      child.once('exit', (code, signal) => resolve({ code, signal, alone: false }))
    })
  }

  leave(): void {
    this.#output?.destroy()
  }
}
