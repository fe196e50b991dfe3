import { execFile } from 'node:child_process'
import { Socket } from 'node:net'
import { join } from 'node:path'
import { FrameWriter } from './body-output.ts'
import { collect, sendPiece } from './collect.ts'
import {
  type BodyEnd,
  type BodyToRun,
  descriptors,
  type FromExecutor,
  type Question,
  type Questions,
  type ToExecutor,
} from './executor-protocol.ts'
import { reached } from './failpoints.ts'
import { MessagePipe } from './message-pipe.ts'
import { ModuleHosts } from './module-hosts.ts'
import { type RunningBody, Scripts } from './scripts.ts'
import { clear, StepFolders } from './step-folder.ts'
import { rehearseUnpacking, unpack } from './working-copy.ts'

/**
 * The half of a runner that works with users' files and starts users' programs, as the user that is meant for them. It
 * holds no secret of the runner's, decides nothing, and may be killed at any moment: the supervisor replaces it.
 */
const work = process.argv[2]!
const frames = new FrameWriter(new Socket({ fd: descriptors.frames, readable: false, writable: true }))
const folders = new StepFolders(work)
const bodies = new Map<number, RunningBody>()
let opened: Promise<Questions['open']['answer']>
let scripts: Scripts
let modules: ModuleHosts

/** A body that ends before has no need to be known: whoever wants to end it learns of it with its end. */
const atOnceMilliseconds = 2

type Answers = { [Q in Question]: (ask: Questions[Q]['ask']) => Promise<Questions[Q]['answer']> }

const answers: Answers = {
  open: ask => {
    opened = open(ask)
    return opened
  },
  warm: async () => {
    await opened
    await modules.warm()
    return {}
  },
  ready: async ({ unpack: wanted }) => {
    const started = performance.now()
    if (wanted) await unpack(process.stdin, join(work, 'copy'))
    reached('copy-unpacked')
    await opened
    return { unpackMilliseconds: performance.now() - started }
  },
  body: ask => run(ask),
  settle: async ({ channel }) => ({ written: await bodies.get(channel)!.settled() }),
  collect: ({ step }) => collect(work, step),
  send: async ask => {
    await sendPiece(ask, frames)
    return {}
  },
  clear: async () => {
    await clear(work)
    return {}
  },
  ping: async () => ({}),
}

const socket = new Socket({ fd: descriptors.messages })
const supervisor = new MessagePipe<ToExecutor, FromExecutor>(socket, hear)
rehearseUnpacking(join(work, 'rehearsal')).catch(error => console.error(error))
// Without a supervisor there is nobody to work for, and nobody who would kill what runs here in time.
socket.once('close', () => process.exit(1))

function hear(message: ToExecutor): void {
  if ('freed' in message) free(message.freed)
  else if ('over' in message) folders.over(message.over)
  else {
    const { id, question, ask } = message
    const answer = answers[question] as (ask: object) => Promise<object>
    answer(ask).then(
      value => supervisor.send({ id, answer: value }),
      error => supervisor.send({ id, failed: error instanceof Error ? error.message : String(error) }),
    )
  }
}

async function open({ sandbox, env }: Questions['open']['ask']): Promise<Questions['open']['answer']> {
  const refused = sandbox && (await whyRefused(sandbox, env))
  const place = { work, env, sandbox: sandbox && refused === undefined ? sandbox : [] }
  scripts = new Scripts(place, frames)
  modules = new ModuleHosts(place, frames)
  // A step that needs one starts one, and says what is wrong.
  scripts.warm().catch(error => console.error(error))
  return refused === undefined ? {} : { refused }
}

async function run({ channel, place, lay, run: what, last }: BodyToRun): Promise<BodyEnd> {
  if (lay) await folders.lay(place, lay)
  const body = await ('program' in what ? scripts.start(channel, what.program) : modules.start(channel, what.module))
  bodies.set(channel, body)
  const { root } = body
  const started = setTimeout(() => supervisor.send({ started: channel, root }), atOnceMilliseconds)
  const end = { ...(await body.ended), root }
  clearTimeout(started)
  reached('body-ended')
  if (end.code !== 0 || !end.alone) folders.spoil(place.step)
  if (end.code !== 0) return end
  const written = await body.settled()
  return { ...end, written, ...(last && { collected: await collect(work, place.step) }) }
}

function free(channel: number): void {
  bodies.get(channel)?.free()
  bodies.delete(channel)
}

/** Why there is no sandbox, in bubblewrap's words. */
function whyRefused([program, ...args]: string[], env: Record<string, string>): Promise<string | undefined> {
  return new Promise(resolve => {
    execFile(program!, [...args, '/bin/true'], { env, timeout: 10_000 }, (error, _, complaint) =>
      resolve(error ? complaint.trim() || error.message : undefined),
    )
  })
}
