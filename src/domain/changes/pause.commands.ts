import Type from 'typebox'
import { type AnyCommand, command, done, unchanged } from '#platform/commands/command.ts'
import { type Failure, failure, missing } from '#platform/failure.ts'
import { lockAsSeen, type PauseAnswer, type RunnerParts, requestPause, requestResume } from '../steps/index.ts'
import { aboutChange, type ChangeTarget, changeTarget } from './change-target.tx.ts'

/** Commands that pause and resume a change. They change nothing if it already is in that state. */
export const pauseCommands = (engine: RunnerParts): AnyCommand[] => [
  pausing({
    name: 'pause',
    summary: 'Pause a change: running steps finish, and no other step starts until it is resumed',
    ask: ({ tx, actor }, id) => requestPause(engine, tx, id, actor),
  }),
  pausing({
    name: 'resume',
    summary: 'Resume a paused change',
    ask: ({ tx }, id) => requestResume(engine, tx, id),
  }),
]

function pausing(what: {
  name: 'pause' | 'resume'
  summary: string
  ask: (context: Parameters<AnyCommand['run']>[0], id: string) => Promise<PauseAnswer>
}): AnyCommand {
  return command<{ reason?: string }, ChangeTarget>({
    name: `changes.${what.name}`,
    summary: what.summary,
    method: 'POST',
    paths: [`/api/changes/:id/${what.name}`],
    status: 200,
    event: `api:changes:${what.name}`,
    eventBody: ['reason'],
    attributes: Type.Object(
      { reason: Type.Optional(Type.String({ maxLength: 4_096, description: 'Reason, for the record.' })) },
      { additionalProperties: false },
    ),
    answers: 'change',
    ...changeTarget,
    run: async (context, { change, node }) => {
      const { id } = change
      await lockAsSeen(context, id)
      const answer = await what.ask(context, id)
      if (answer === 'already') return unchanged(id)
      if (answer !== 'done') throw impossible[answer]()
      return done({ id, event: aboutChange(id, node, change.action) })
    },
  })
}

const impossible: Readonly<Record<Exclude<PauseAnswer, 'done' | 'already'>, () => Failure>> = {
  missing,
  final: () => failure('wrong-state', 'The change has ended.'),
  cancelling: () => failure('wrong-state', 'The change is ending already: it is being cancelled, or was rejected.'),
}
