import type { FileToWrite } from '../src/platform/runner-protocol.ts'

/**
 * Between the supervisor and its executor: questions and answers over Node's channel, and, on file descriptor 3 from
 * the executor, what bodies write and what artefacts hold, in frames. Two ways, because the second is not read while
 * too much is unacknowledged, and a question must still get its answer then.
 */
export const outputDescriptor = 3

/** On which a process that runs a repository's programs gets the lines of `step.log`. 3 is the keeper's. */
export const hostLogDescriptor = 4

export interface Questions {
  /** Has the working copy been made? Asked first; the archive comes on standard input. */
  ready: { ask: { unpack: boolean }; answer: { unpackMilliseconds: number } }
  /** Can bubblewrap be used here? */
  trySandbox: { ask: { argv: string[] }; answer: { refused?: string } }
  prepare: {
    ask: StepPlace & { context: string; scripts: string[]; files: FileToWrite[] }
    answer: { scripts: string[] }
  }
  /** `keep`: nothing else holds together what the program may start. */
  spawn: {
    ask: { channel: number; argv: string[]; keep: boolean; env: Record<string, string>; cwd: string }
    answer: { pid: number }
  }
  /** A body that a program of the repository declares; `argv` and `env` start a process for such bodies, where none waits. */
  module: {
    ask: { channel: number; argv: string[]; keep: boolean; env: Record<string, string>; job: ModuleJob }
    answer: { pid: number }
  }
  /** The body's program has ended, and what it left has been dealt with: read what is in its pipes, then say END. */
  finish: { ask: { channel: number }; answer: object }
  collect: { ask: StepPlace; answer: Collected }
  /** A piece of an artefact, as frames on `channel`, then END. Asked for piece by piece, as fast as the service takes them. */
  send: { ask: { channel: number; file: string; from: number; length: number }; answer: object }
  /** Removes what a step, or (with '') the whole runner, has left. */
  remove: { ask: { step: string }; answer: object }
  ping: { ask: object; answer: object }
}
export type Question = keyof Questions

/** Name of the step's folder below `steps`, and the folder of the repository that it works in. */
export interface StepPlace {
  step: string
  folder: string
}

export interface Collected {
  /** What step_result.json holds, when there is one. */
  result?: string
  /** Why it could not be read. */
  unreadable?: string
  /** What was left for an artefact and is not kept, and why. */
  problems: string[]
  artefacts: { name: string; file: string; byteSize: number; sha256: string }[]
}

export type Asked = { [Q in Question]: { id: number; question: Q; ask: Questions[Q]['ask'] } }[Question]
export type Answered = { id: number; answer: object } | { id: number; failed: string } | Exited
export interface Exited {
  exited: number
  code: number | null
  signal: string | null
  /** Better words for it than the code. */
  why?: string
}

/** What is asked of a process that runs a repository's programs. */
export interface ModuleJob {
  /** The action to run; null: list all that there are. */
  action: string | null
  /** The program, from the repository's root. */
  file: string
  /** The working copy. */
  copy: string
  cwd: string
  env: Record<string, string>
}
export type FromModuleHost =
  /** `alone`: nothing that the body started is left. */
  { done: true; alone: boolean } | { failed: string; exitCode: number | null }

export const frame = { stdout: 1, stderr: 2, end: 3, artefact: 4, action: 5 } as const
export type FrameKind = (typeof frame)[keyof typeof frame]

const headerBytes = 9

export function frameHeader(kind: FrameKind, channel: number, length: number): Buffer {
  const header = Buffer.allocUnsafe(headerBytes)
  header.writeUInt8(kind, 0)
  header.writeUInt32BE(channel, 1)
  header.writeUInt32BE(length, 5)
  return header
}

/** Finds the frames in what arrives in arbitrary pieces; the pieces of a long frame are handed on as they come. */
export class FrameReader {
  readonly #take: (kind: FrameKind, channel: number, bytes: Buffer) => void
  #header = Buffer.alloc(0)
  #left = 0
  #kind: FrameKind = frame.end
  #channel = 0

  constructor(take: (kind: FrameKind, channel: number, bytes: Buffer) => void) {
    this.#take = take
  }

  feed(bytes: Buffer): void {
    let at = 0
    while (at < bytes.length) {
      if (this.#left > 0) {
        const piece = bytes.subarray(at, at + this.#left)
        at += piece.length
        this.#left -= piece.length
        this.#take(this.#kind, this.#channel, piece)
        continue
      }
      const missing = headerBytes - this.#header.length
      this.#header = Buffer.concat([this.#header, bytes.subarray(at, at + missing)])
      at += missing
      if (this.#header.length < headerBytes) return
      this.#kind = this.#header.readUInt8(0) as FrameKind
      this.#channel = this.#header.readUInt32BE(1)
      this.#left = this.#header.readUInt32BE(5)
      this.#header = Buffer.alloc(0)
      if (this.#left === 0) this.#take(this.#kind, this.#channel, Buffer.alloc(0))
    }
  }
}
