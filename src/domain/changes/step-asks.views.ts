import type { Readable } from 'node:stream'
import Type from 'typebox'
import type { Need } from '#platform/actor.ts'
import { type Actor, theService } from '#platform/actor.ts'
import type { Queries } from '#platform/db/database.ts'
import { sql } from '#platform/db/sql.ts'
import { type AnyView, view } from '#platform/domain.ts'
import { failure } from '#platform/failure.ts'
import { GitFailure, remoteByName, revisionFault, type StoredRemote } from '../git/index.ts'
import { eventNode, findNodeById } from '../nodes/index.ts'
import { isOfStandingNode } from '../steps/index.ts'
import { catalogueEntries } from '../templates/index.ts'
import { findChange } from './change.store.ts'
import { actionPath } from './change.ts'
import { modelOfChange } from './model-of-change.ts'
import type { ChangeParts } from './parts.ts'

interface AskedStep {
  readonly id: string
  readonly change_id: string
  readonly project_id: string
  readonly action: string
  readonly readPath: string
}

const findStep = (queries: Queries, id: string): Promise<AskedStep | undefined> =>
  queries.one(sql<AskedStep>`
    select s.id, c.id as change_id, a.project_id, c.action, a.path as "readPath"
      from steps s
      join activities a on a.id = s.activity_id
      join changes c on c.id = a.id
     where s.id = ${id}::uuid and ${isOfStandingNode(sql`a.node_id`)}`)

/** Who may run the action may ask what it asks. People besides need what they would need without a step. */
const needs = ({ readPath, action }: AskedStep, actor: Actor, ofPeople: Need): Need[] => [
  { right: 'execute', path: actionPath(readPath, action) },
  ...(actor.via === 'attempt' ? [] : [ofPeople]),
]

/** `step.catalogue()` of @sluice/actions (automation.md 3). */
export const stepCatalogue = (parts: ChangeParts): AnyView =>
  view<AskedStep>({
    name: 'steps.catalogue',
    summary: "The actions of the model of a step's asset, for the step: none where it has no model that is right.",
    method: 'GET',
    paths: ['/api/steps/:id/catalogue'],
    answer: Type.Object({ data: Type.Object({}, { additionalProperties: true }) }, { additionalProperties: true }),
    find: ({ database, params }) => findStep(database, params['id']!),
    needs: (step, { actor }) => needs(step, actor, { right: 'read', path: `${step.readPath}/model` }),
    run: async ({ id, change_id }, { database }) => {
      const change = (await findChange(database, change_id))!
      const node = (await findNodeById(database, change.node_id))!
      const model = await modelOfChange(parts, database, change, node)
      if (model.state === 'invalid')
        await parts.tell({
          type: 'warn:model:actions_unavailable',
          actor: theService,
          source: { type: node.node_type, id: node.id },
          node: eventNode(node),
          activityId: change_id,
          attributes: { name: node.name, reason: model.reason },
          message: 'A step asked for the actions of the model, and saw none.',
        })
      const actions = model.state === 'valid' ? catalogueEntries(model.actions()) : []
      const attributes = { available: model.state !== 'invalid', actions }
      return { body: { data: { id, type: 'action_catalogue', attributes } } }
    },
  })

/** `step.gitClone(…)` of @sluice/actions: the files of a revision, from the mirror of a remote of the same project. */
export const stepGitClone = (parts: ChangeParts): AnyView =>
  view<AskedStep>({
    name: 'steps.git_clone',
    summary:
      "The files of a revision of a Git remote of the step's project, as tar; from the copy where it cannot be fetched.",
    method: 'GET',
    paths: ['/api/steps/:id/git_clone'],
    parameters: {
      git_remote_name: { schema: Type.String(), describe: 'Name of the Git remote.', required: true },
      git_rev: { schema: Type.String(), describe: 'A branch, tag or commit of it.', required: true },
    },
    answer: Type.String({ format: 'binary' }),
    find: ({ database, params }) => findStep(database, params['id']!),
    needs: (step, { actor }) =>
      needs(step, actor, { right: 'read', path: `${step.readPath.split('/', 3).join('/')}/git_remotes` }),
    run: async (step, { database, query }) => {
      const [name, revision] = [String(query['git_remote_name']), String(query['git_rev'])]
      const remote = await remoteByName(database, step.project_id, name.normalize('NFC'))
      if (!remote) throw failure('missing', `The project has no Git remote "${name}".`)
      const fault = revisionFault(revision)
      if (fault) throw failure('invalid', fault, { source: { parameter: 'git_rev' } })
      const notFetched = await refreshed(parts, database, step, remote)
      const commit = await parts.git.resolve(remote.id, revision)
      if (!commit) {
        const why = notFetched === undefined ? '' : `, as far as it is known; it could not be fetched: ${notFetched}`
        throw failure('missing', `The Git remote "${remote.name}" has no revision "${revision}"${why}.`)
      }
      return {
        body: (await parts.git.archive(remote.id, commit)) as Readable,
        headers: {
          'content-type': 'application/x-tar',
          'sluice-commit': commit,
          ...(notFetched !== undefined && { 'sluice-not-fetched': encodeURIComponent(notFetched.slice(0, 500)) }),
        },
      }
    },
  })

/** Why it could not be fetched; then what is known of it is used. */
async function refreshed(
  { git, tell }: ChangeParts,
  queries: Queries,
  step: AskedStep,
  remote: StoredRemote,
): Promise<string | undefined> {
  try {
    await git.fetch(remote.id)
    return undefined
  } catch (error) {
    if (!(error instanceof GitFailure)) throw error
    const project = await findNodeById(queries, remote.project_id)
    if (project)
      await tell({
        type: 'warn:git_remote:mountable_fetch_failed',
        actor: theService,
        source: { type: 'git_remote', id: remote.id },
        node: eventNode(project),
        activityId: step.change_id,
        attributes: { name: remote.name, error: error.message },
      })
    return error.message
  }
}
