import type { FileToWrite } from '../src/platform/runner-protocol.ts'

/**
 * Between the supervisor and its executor: questions and answers over one socket, and, over another from the executor,
 * what bodies write and what artefacts hold, in frames. Two ways, because the second is not read while too much is
 * unacknowledged, and a question must still get its answer then.
 */
export const descriptors = { frames: 3, messages: 4 } as const

/** Of a process that runs a repository's programs: the lines of `step.log`, and its jobs. 3 is the keeper's. */
export const hostDescriptors = { log: 4, messages: 5 } as const

export interface Questions {
  /**
   * Asked first. `sandbox`: the beginning of a command that runs its arguments in bubblewrap; `env`: what everything has
   * that is started.
   */
  open: {
    ask: { sandbox?: string[]; env: Record<string, string> }
    /** Why there is no sandbox although one was asked for. */
    answer: { refused?: string }
  }
  /** Starts what an `actions.ts` will need, for a runner that has the time. */
  warm: { ask: object; answer: object }
  /** Has the working copy been made? The archive comes on standard input. */
  ready: { ask: { unpack: boolean }; answer: { unpackMilliseconds: number } }
  /** One body of a step, from its start to its end. What its first body finds is laid out before. */
  body: { ask: BodyToRun; answer: BodyEnd }
  /** A body has failed, and what it left has been dealt with: hand on what it wrote. */
  settle: { ask: { channel: number }; answer: { written: number } }
  collect: { ask: StepPlace; answer: Collected }
  /** A piece of an artefact, as frames on `channel`, then END. Asked for piece by piece, as fast as the service takes them. */
  send: { ask: { channel: number; file: string; from: number; length: number }; answer: object }
  /** Removes what the runner has left. */
  clear: { ask: object; answer: object }
  ping: { ask: object; answer: object }
}
export type Question = keyof Questions

/** Name of the step's folder below `steps`, and the folder of the repository that it works in. */
export interface StepPlace {
  step: string
  folder: string
}

export interface BodyToRun {
  channel: number
  place: StepPlace
  lay?: { context: string; scripts: string[]; files: FileToWrite[] }
  run: { program: Program } | { module: ModuleJob }
  /** After its success the step has ended, and is collected. */
  last: boolean
}

/** A program and all that it gets. */
export interface Program {
  argv: string[]
  cwd: string
  env: Record<string, string>
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

export interface Exit {
  code: number | null
  signal: string | null
  /** Better words for it than the code. */
  why?: string
}

/** Beneath which everything is that a body starts. */
export interface Root {
  pid: number
  started: number
}

export interface BodyEnd extends Exit {
  root: Root
  /** Nothing that it started is left. */
  alone: boolean
  /** Bytes that were handed on for it; only after a success, else they are told by `settle`. */
  written?: number
  collected?: Collected
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

export type ToExecutor =
  | { [Q in Question]: { id: number; question: Q; ask: Questions[Q]['ask'] } }[Question]
  /** The supervisor ends nothing of this body any more: what it ran in is free, and what it left lives on. */
  | { freed: number }
  /** The step is over and what it left for the service is there. */
  | { over: string }
export type FromExecutor =
  | { id: number; answer: object }
  | { id: number; failed: string }
  /** A body that has not ended at once. */
  | { started: number; root: Root }

export type ToModuleHost = ModuleJob | 'end'
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
