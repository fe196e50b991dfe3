import { spawn, spawnSync } from 'node:child_process'
import { Socket } from 'node:net'
import { join } from 'node:path'
import { BodyOutput, FrameWriter } from './body-output.ts'
import { type Answered, type Asked, outputDescriptor, type Question, type Questions } from './executor-protocol.ts'
import { reached } from './failpoints.ts'
import { hearKeeper, kept } from './keeper.ts'
import { ModuleHosts } from './module-hosts.ts'
import { collect, prepare, removeFolder, sendPiece } from './step-folder.ts'
import { unpack } from './working-copy.ts'

/**
 * The half of a runner that works with users' files and starts users' programs, as the user that is meant for them. It
 * holds no secret of the runner's, decides nothing, and may be killed at any moment: the supervisor replaces it.
 */
const work = process.argv[2]!
const frames = new FrameWriter(new Socket({ fd: outputDescriptor, readable: false, writable: true }))
const running = new Map<number, BodyOutput>()
const modules = new ModuleHosts(frames, say)

type Answers = { [Q in Question]: (ask: Questions[Q]['ask']) => Promise<Questions[Q]['answer']> }

const answers: Answers = {
  ready: async ({ unpack: wanted }) => {
    const started = performance.now()
    if (wanted) await unpack(process.stdin, join(work, 'copy'))
    reached('copy-unpacked')
    return { unpackMilliseconds: performance.now() - started }
  },
  trySandbox: async ({ argv: [program, ...args] }) => {
    const tried = spawnSync(program!, args, { encoding: 'utf8', cwd: '/', timeout: 10_000 })
    const refused =
      tried.error?.message ?? (tried.status === 0 ? undefined : tried.stderr.trim() || `exit code ${tried.status}`)
    return refused === undefined ? {} : { refused }
  },
  prepare: ask => prepare(work, ask),
  spawn: ask => start(ask),
  module: ask => modules.run(ask),
  finish: async ({ channel }) => {
    if (modules.has(channel)) await modules.finish(channel)
    else await running.get(channel)!.finish()
    running.delete(channel)
    return {}
  },
  collect: ask => collect(work, ask),
  send: async ask => {
    await sendPiece(ask, frames)
    return {}
  },
  remove: async ({ step }) => {
    await removeFolder(work, step)
    return {}
  },
  ping: async () => ({}),
}

process.on('message', (message: unknown) => {
  const { id, question, ask } = message as Asked
  const answer = answers[question] as (ask: object) => Promise<object>
  answer(ask).then(
    value => say({ id, answer: value }),
    error => say({ id, failed: error instanceof Error ? error.message : String(error) }),
  )
})
// Without a supervisor there is nobody to work for, and nobody who would kill what runs here in time.
process.on('disconnect', () => process.exit(1))

function say(message: Answered): void {
  if ('exited' in message) reached('body-ended')
  if (process.connected) process.send!(message)
}

/** Each body leads a session of its own, so that all it starts can be told from the rest. */
function start({ channel, argv, env, cwd, keep }: Questions['spawn']['ask']): Promise<{ pid: number }> {
  const underKeeper = keep ? kept(argv) : undefined
  const [program, ...args] = underKeeper ?? argv
  const pipes = ['ignore', 'pipe', 'pipe', ...(underKeeper ? ['pipe' as const] : [])] as ('ignore' | 'pipe')[]
  return new Promise((resolve, reject) => {
    const child = spawn(program!, args, { cwd, env, detached: true, stdio: pipes })
    child.once('error', error => reject(new Error(`${program} could not be started: ${error.message}`)))
    child.once('spawn', () => {
      running.set(channel, new BodyOutput(channel, { stdout: child.stdout!, stderr: child.stderr! }, frames))
      resolve({ pid: child.pid! })
    })
    if (underKeeper) hearKeeper(child, end => say({ exited: channel, ...end }))
    else child.once('exit', (code, signal) => say({ exited: channel, code, signal }))
  })
}
