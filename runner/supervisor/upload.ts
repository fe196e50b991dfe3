import { Readable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import type { Labels } from '../../json/labels.ts'
import { type Attempt, labelsHeader } from '../../protocol/runner-protocol.ts'
import { ExecutorGone } from './executor-host.ts'
import { type Collected, type FrameKind, frame, type Questions } from './executor-protocol.ts'
import type { Executors, Listener } from './executors.ts'

const pieceBytes = 1_048_576
/** Maximum number of executors that may end over one piece: after that, the piece is considered the cause. */
const mostAttempts = 5

export type Upload = {
  attempt: Attempt
  artefact: Collected['artefacts'][number]
  /** Ends the waiting. */
  signal: AbortSignal
}

type To = { address: () => string; secret: string; executors: Executors }

/** Uploads a file of a step to the service, which checks it against its hash. Waits for an unavailable service. */
export async function uploadArtefact(upload: Upload, to: To): Promise<void> {
  const { attempt, artefact, signal } = upload
  const name = encodeURIComponent(artefact.name)
  const path = `/runner/artefacts/${attempt.stepId}/${attempt.attempt}/${name}?fence=${attempt.fence}`
  let unreadable: Error | undefined
  const piece: ReadPiece = what =>
    pieceOf(what, to.executors).catch(error => {
      unreadable = error
      throw error
    })
  for (let pause = 200; ; pause = Math.min(pause * 2, 5_000)) {
    const answer = await fetch(new URL(path, to.address()), {
      method: 'PUT',
      headers: {
        authorization: `Bearer ${to.secret}`,
        'content-type': 'application/octet-stream',
        'sluice-sha256': artefact.sha256,
        'sluice-bytes': String(artefact.byteSize),
        ...(artefact.labels && { [labelsHeader]: inHeader(artefact.labels) }),
      },
      body: Readable.toWeb(Readable.from(bytesOf(upload, piece))) as never,
      duplex: 'half',
      signal,
    }).catch(() => undefined)
    // For example it has been removed by a process that the step has left running.
    if (unreadable) throw new Error(`the artefact ${artefact.name} could not be read: ${unreadable.message}`)
    if (answer?.ok) return
    if (answer && answer.status < 500) {
      throw new Error(`the artefact ${artefact.name} could not be kept: ${(await answer.text()).slice(0, 500)}`)
    }
    await wait(pause, undefined, { signal })
  }
}

const inHeader = (labels: Labels): string => Buffer.from(JSON.stringify(labels)).toString('base64url')

/**
 * Streams exactly the bytes that were counted: a process that the step has left running may still be writing the file.
 */
async function* bytesOf({ artefact: { file, byteSize } }: Upload, read: ReadPiece): AsyncGenerator<Buffer> {
  for (let from = 0; from < byteSize; from += pieceBytes)
    yield await read({ file, from, length: Math.min(pieceBytes, byteSize - from) })
}

type Piece = Omit<Questions['send']['ask'], 'channel'>
type ReadPiece = (piece: Piece) => Promise<Buffer>

/** Reads a piece of a file; if the executor ends meanwhile, the next one is asked for the whole piece again. */
async function pieceOf(piece: Piece, executors: Executors): Promise<Buffer> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await requestPiece(piece, executors)
    } catch (error) {
      if (!(error instanceof ExecutorGone) || attempt === mostAttempts) throw error
    }
  }
}

async function requestPiece(piece: Piece, executors: Executors): Promise<Buffer> {
  const pieces: Buffer[] = []
  const whole = Promise.withResolvers<void>()
  const listener: Listener = {
    take: (kind: FrameKind, bytes: Buffer) =>
      kind === frame.end ? whole.resolve() : void pieces.push(Buffer.from(bytes)),
    executorGone: how => whole.reject(new ExecutorGone(how)),
  }
  const channel = executors.open(listener)
  try {
    await Promise.all([executors.ask('send', { channel, ...piece }), whole.promise])
    return Buffer.concat(pieces)
  } finally {
    executors.close(channel)
  }
}
