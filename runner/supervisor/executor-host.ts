import { type ChildProcess, spawn } from 'node:child_process'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { failpointEnvironment } from '../failpoints.ts'
import type { User } from '../sandbox/processes.ts'
import {
  descriptors,
  type FrameKind,
  FrameReader,
  type FromExecutor,
  type Question,
  type Questions,
  type ToExecutor,
} from './executor-protocol.ts'
import { MessagePipe } from './message-pipe.ts'

export type ExecutorPlace = {
  /** Node and the folder of the runner's programs, as the user of the steps can reach them. */
  node: string
  program: string
  /** Extension of the programs' files: `.ts` or `.js`. */
  suffix: string
  /** The folder that steps work in. */
  work: string
  runAs?: User
  env: Record<string, string>
  /**
   * The prefix of a command in which it sees no more than a step does, if both have the service's own user: a folder
   * may be replaced by a link between checking and opening it. Empty if it can see no more anyway.
   */
  sandbox: readonly string[]
}

/** A piece of an artefact, or the end of it. */
export type TakeFrame = (kind: FrameKind, channel: number, bytes: Buffer) => void

type Waiting = { resolve: (answer: never) => void; reject: (error: Error) => void }

/** Error for an executor that has ended by itself or was killed. */
export class ExecutorGone extends Error {
  constructor(how: string) {
    super(`the runner's executor ended (${how})`)
  }
}

/**
 * One executor process from the supervisor's side: sends requests, reads responses, and detects when it hangs or has
 * ended.
 */
export class ExecutorHost {
  /** Resolves with the reason of its end. */
  readonly ended: Promise<string>
  readonly #child: ChildProcess
  readonly #messages: MessagePipe<ToExecutor>
  readonly #waiting = new Map<number, Waiting>()
  #nextId = 1
  #gone = false

  constructor(place: ExecutorPlace, take: TakeFrame, hangMilliseconds: number) {
    const executor = [place.node, join(place.program, `executor${place.suffix}`), place.work]
    const [program, ...args] = [...place.sandbox, ...executor]
    this.#child = spawn(program!, args, {
      ...(place.runAs && { uid: place.runAs.uid, gid: place.runAs.gid }),
      cwd: place.work,
      env: { ...place.env, ...failpointEnvironment },
      // A runner's processes include everything in its session: this must not be the session of a shell or of a test
      // run.
      detached: true,
      stdio: ['pipe', 'inherit', 'inherit', 'pipe', 'pipe'],
    })
    const pieces = this.#child.stdio[descriptors.frames] as Readable
    const frames = new FrameReader(take)
    pieces.on('data', (bytes: Buffer) => frames.feed(bytes))
    // Its pipes break when it ends, and its end is reported below.
    for (const pipe of [pieces, this.#child.stdin!]) pipe.on('error', () => {})
    this.#messages = new MessagePipe(
      this.#child.stdio[descriptors.messages] as Socket,
      message => this.#hear(message as FromExecutor),
      // A process of a step impersonates it, which the same user can do.
      () => void this.kill(),
    )
    this.ended = new Promise(resolve => {
      this.#child.once('error', error => resolve(error.message))
      this.#child.once('exit', (code, signal) => resolve(signal ? `killed by ${signal}` : `exit code ${code}`))
    }).then(how => this.#end(how as string))
    this.#watch(hangMilliseconds)
  }

  /** Stream that takes the archive. */
  get archive(): Writable {
    return this.#child.stdin!
  }

  ask<Q extends Question>(question: Q, ask: Questions[Q]['ask']): Promise<Questions[Q]['answer']> {
    if (this.#gone) return Promise.reject(new ExecutorGone('before it was asked'))
    const id = this.#nextId++
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject })
      // A message that can no longer be sent fails with its end.
      this.#messages.send({ id, question, ask } as ToExecutor)
    })
  }

  /** Sends a message that needs no answer, and is dropped if the executor is gone. */
  tell(what: Extract<ToExecutor, { ended: string }>): void {
    this.#messages.send(what)
  }

  /** Kills the process, and none of the bodies. */
  async kill(): Promise<void> {
    this.#child.kill('SIGKILL')
    await this.ended
  }

  #hear(message: FromExecutor): void {
    const waiting = this.#waiting.get(message.id)
    this.#waiting.delete(message.id)
    if ('failed' in message) waiting?.reject(new Error(message.failed))
    else waiting?.resolve(message.answer as never)
  }

  #end(how: string): string {
    this.#gone = true
    for (const { reject } of this.#waiting.values()) reject(new ExecutorGone(how))
    this.#waiting.clear()
    return how
  }

  /** Kills an executor that does not respond in time: it is stopped, or in an endless loop, and useless. */
  #watch(hangMilliseconds: number): void {
    if (this.#gone) return
    const timer = setTimeout(() => void this.kill(), hangMilliseconds)
    const over = this.ask('ping', {}).then(
      () => setTimeout(() => this.#watch(hangMilliseconds), hangMilliseconds / 6).unref(),
      () => undefined,
    )
    void over.finally(() => clearTimeout(timer))
  }
}
