import { Socket } from 'node:net'
import { join } from 'node:path'
import { complain } from './complain.ts'
import { collect } from './executor/collect.ts'
import { adoptDependencies, createStagingFolder, dependenciesOf } from './executor/dependencies.ts'
import { emptyFolder } from './executor/remove-tree.ts'
import { StepLayout } from './executor/step-layout.ts'
import { rehearseUnpacking, takeCopied, unpack } from './executor/working-copy.ts'
import { failpoint } from './failpoints.ts'
import {
  descriptors,
  type FromExecutor,
  type Question,
  type Questions,
  type ToExecutor,
} from './supervisor/executor-protocol.ts'
import { FrameWriter } from './supervisor/framing.ts'
import { MessagePipe } from './supervisor/message-pipe.ts'

/**
 * The part of a runner that works with users' files, as the user intended for them. It has no secret of the runner,
 * decides nothing, and may be killed at any moment: the supervisor replaces it.
 */
const work = process.argv[2]!
const frames = new FrameWriter(new Socket({ fd: descriptors.frames, readable: false, writable: true }))
const layout = new StepLayout(work)

type Answers = { [Q in Question]: (ask: Questions[Q]['ask']) => Promise<Questions[Q]['answer']> }

const answers: Answers = {
  ready: async ({ copy: from }) => {
    const started = performance.now()
    const copy = join(work, 'copy')
    if (from === 'archive') await unpack(process.stdin, copy)
    if (from === 'copied') await takeCopied(copy)
    const dependencies = from !== 'made' ? dependenciesOf(copy) : undefined
    failpoint('copy-unpacked')
    return { unpackMilliseconds: performance.now() - started, dependencies }
  },
  beside: async () => {
    await createStagingFolder(work)
    return {}
  },
  adopt: async () => {
    await adoptDependencies(work)
    return {}
  },
  prepare: async ({ place, contents }) => {
    await layout.prepare(place, contents)
    return {}
  },
  collect: async ({ step }) => {
    const collected = await collect(work, step)
    failpoint('left-collected')
    return collected
  },
  send: async ({ channel, file, from, length }) => {
    await frames.piece(channel, { file, from, length })
    return {}
  },
  clear: async () => {
    await emptyFolder(work)
    return {}
  },
  ping: async () => ({}),
}

const socket = new Socket({ fd: descriptors.messages })
const supervisor = new MessagePipe<FromExecutor>(
  socket,
  message => hear(message as ToExecutor),
  () => process.exit(1),
)
rehearseUnpacking(join(work, 'rehearsal')).catch(error => complain(`unpacking could not be rehearsed: ${error}`))
// Without a supervisor there is no work.
socket.once('close', () => process.exit(1))

function hear(message: ToExecutor): void {
  if ('ended' in message) {
    void layout.stepEnded(message.ended, message.unusable)
    return
  }
  const { id, question, ask } = message
  const answer = answers[question] as (ask: object) => Promise<object>
  answer(ask).then(
    value => supervisor.send({ id, answer: value }),
    error => supervisor.send({ id, failed: error instanceof Error ? error.message : String(error) }),
  )
}
