import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process'
import type { Socket } from 'node:net'
import type { Readable } from 'node:stream'
import { type FrameWriter, Output } from './body-output.ts'
import { frame, hostDescriptors, type Program, type Root } from './executor-protocol.ts'
import type { End, KeeperPlace, Keeping } from './keeper.ts'
import { startOf } from './processes.ts'

/**
 * Where there is no perl: a program by itself. What it starts is found by session and by mark alone, so each runs in a
 * process and with pipes of its own.
 */
export class Unkept implements Keeping {
  readonly usable = false
  readonly #place: KeeperPlace
  readonly #frames: FrameWriter
  readonly #more: 0 | 2
  #child: ChildProcess | undefined
  #output: Output | undefined

  constructor(place: KeeperPlace, frames: FrameWriter, more: 0 | 2) {
    this.#place = place
    this.#frames = frames
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
    const [program, ...args] = [...this.#place.sandbox, ...argv]
    const stdio: StdioOptions = [
      'ignore',
      'pipe',
      'pipe',
      ...(this.#more === 0 ? [] : (['ignore', 'pipe', 'pipe'] as const)),
    ]
    const child = spawn(program!, args, { cwd, env, detached: true, stdio })
    this.#child = child
    const log = this.#more === 0 ? {} : { [frame.action]: child.stdio[hostDescriptors.log] as Readable }
    this.#output = new Output(this.#frames, { [frame.stdout]: child.stdout!, [frame.stderr]: child.stderr!, ...log })
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
