import Type from 'typebox'
import { type AnyCommand, command, done, type Target, unchanged } from '#platform/commands/command.ts'
import { type Failure, failure, missing } from '#platform/failure.ts'
import { eventNode, findNodeById, type Node } from '../nodes/index.ts'
import { type EngineParts, type PauseAnswer, requestPause, requestResume } from '../steps/index.ts'
import { findChange, type StoredChange } from './change.store.ts'
import { actionPath } from './change.ts'

/** Hold a change, and let it go on (execution.md 4). Asked for what is so already, they change nothing. */
export const pauseCommands = (engine: EngineParts): AnyCommand[] => [
  pausing({
    name: 'pause',
    summary: 'Pause a change: the steps that run end, and no other begins until it is resumed',
    ask: ({ tx, actor }, id) => requestPause(tx, id, actor),
  }),
  pausing({
    name: 'resume',
    summary: 'Let a paused change go on',
    ask: ({ tx }, id) => requestResume(engine, tx, id),
  }),
]

type OnChange = Target & { readonly change: StoredChange; readonly node: Node }

function pausing(what: {
  name: 'pause' | 'resume'
  summary: string
  ask: (context: Parameters<AnyCommand['run']>[0], id: string) => Promise<PauseAnswer>
}): AnyCommand {
  return command<{ reason?: string }, OnChange>({
    name: `changes.${what.name}`,
    summary: what.summary,
    method: 'POST',
    paths: [`/api/changes/:id/${what.name}`],
    status: 200,
    event: `api:changes:${what.name}`,
    eventBody: ['reason'],
    attributes: Type.Object(
      { reason: Type.Optional(Type.String({ maxLength: 4_096, description: 'Why, for whoever reads it later.' })) },
      { additionalProperties: false },
    ),
    answers: 'change',
    find: async ({ tx }, { params }) => {
      const change = await findChange(tx, params['id']!)
      const node = change && (await findNodeById(tx, change.node_id))
      return node && { change, node, readPath: change.path, rowVersion: change.row_version }
    },
    needs: ({ change }) => [{ right: 'execute', path: actionPath(change.path, change.action) }],
    run: async (context, { change, node }) => {
      const { id } = change
      const answer = await what.ask(context, id)
      if (answer === 'already') return unchanged(id)
      if (answer !== 'done') throw impossible[answer]()
      return done({
        id,
        event: {
          source: { type: 'change', id },
          node: eventNode(node),
          activityId: id,
          attributes: { name: change.action },
        },
      })
    },
  })
}

const impossible: Readonly<Record<Exclude<PauseAnswer, 'done' | 'already'>, () => Failure>> = {
  missing,
  final: () => failure('wrong-state', 'The change has ended.'),
  cancelling: () => failure('wrong-state', 'The change is ending already: it is being cancelled, or was rejected.'),
}
