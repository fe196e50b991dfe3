import type { Labels } from '../../json/labels.ts'
import type { FileToWrite } from '../../protocol/runner-protocol.ts'
import type { Dependencies } from '../executor/dependencies.ts'

/**
 * Descriptors of the two sockets between the supervisor and its executor: one for requests and responses, and one for
 * the content of artefacts, sent by the executor in frames.
 */
export const descriptors = { frames: 3, messages: 4 } as const

export interface Questions {
  /**
   * Makes the working copy. `archive`: the tree is on standard input; `copied`: it was copied beside its place by the
   * user of the steps.
   */
  ready: {
    ask: { copy: 'archive' | 'copied' | 'made' }
    answer: { unpackMilliseconds: number; dependencies?: Dependencies | undefined }
  }
  /** Creates an empty folder beside the working copy for packages that npm has installed elsewhere. */
  beside: { ask: object; answer: object }
  /** Moves what is there into the working copy. */
  adopt: { ask: object; answer: object }
  /** Lays out what a step will find. */
  prepare: { ask: { place: StepPlace; contents: StepContents }; answer: object }
  /** Collects the files that a step has left for the service. */
  collect: { ask: StepPlace; answer: Collected }
  /**
   * A piece of an artefact, as frames on `channel`, then END. Requested piece by piece, as fast as the service accepts
   * them.
   */
  send: { ask: { channel: number; file: string; from: number; length: number }; answer: object }
  /** Removes the runner's files. */
  clear: { ask: object; answer: object }
  ping: { ask: object; answer: object }
}
export type Question = keyof Questions

/** Name of the step's folder below `steps`, and the folder of the repository that it works in. */
export interface StepPlace {
  step: string
  folder: string
}

export interface StepContents {
  context: string
  scripts: string[]
  files: FileToWrite[]
}

export interface Collected {
  /** Content of step_result.json, if there is one. */
  result?: string
  /** Why it could not be read. */
  unreadable?: string
  /** Artefacts that were left but not stored, with the reason. */
  problems: string[]
  artefacts: { name: string; file: string; byteSize: number; sha256: string; labels?: Labels }[]
}

export type ToExecutor =
  | { [Q in Question]: { id: number; question: Q; ask: Questions[Q]['ask'] } }[Question]
  /** The step is over. `unusable`: a process of it may still use its folder, so no other step gets it. */
  | { ended: string; unusable: boolean }
export type FromExecutor = { id: number; answer: object } | { id: number; failed: string }

export const frame = { end: 1, artefact: 2 } as const
export type FrameKind = (typeof frame)[keyof typeof frame]

const headerBytes = 9

export function frameHeader(kind: FrameKind, channel: number, length: number): Buffer {
  const header = Buffer.allocUnsafe(headerBytes)
  header.writeUInt8(kind, 0)
  header.writeUInt32BE(channel, 1)
  header.writeUInt32BE(length, 5)
  return header
}

/**
 * Finds the frames in data that arrives in arbitrary pieces; the pieces of a long frame are passed on as they arrive.
 */
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
