import type { Readable } from 'node:stream'
import Type from 'typebox'
import { findAction } from '#authoring/actions/action.ts'
import { stepTree } from '#authoring/actions/action-tree.ts'
import { revisionFault } from '#authoring/revision.ts'
import { theService } from '#platform/actor.ts'
import type { Queries } from '#platform/db/database.ts'
import { type AnyView, view } from '#platform/domain.ts'
import { failure } from '#platform/failure.ts'
import { catalogueEntries } from '../action-catalogue/index.ts'
import { findChange, modelOfChange } from '../changes/index.ts'
import { type Git, GitFailure, remoteByName, type StoredRemote } from '../git/index.ts'
import { eventNode, findNodeById } from '../nodes/index.ts'
import { type CatalogueParts, catalogueOfChange } from './child-steps.tx.ts'
import type { StepExecutionParts } from './parts.port.ts'
import { findRequestingStep, needsToAsk, type RequestingStep } from './requesting-step.store.ts'

/** `step.catalogue()` of @sluice/actions. */
export const stepCatalogue = (parts: Pick<StepExecutionParts, 'model' | 'recordEvent'>): AnyView =>
  view<RequestingStep>({
    name: 'steps.catalogue',
    summary: "Actions of the model of the step's asset, for the step; empty without a valid model.",
    method: 'GET',
    paths: ['/api/steps/:id/catalogue'],
    answer: Type.Object({ data: Type.Object({}, { additionalProperties: true }) }, { additionalProperties: true }),
    find: ({ database, params }) => findRequestingStep(database, params['id']!),
    needs: (step, { actor }) => needsToAsk(step, actor, { right: 'read', path: `${step.readPath}/model` }),
    run: async ({ id, change_id }, { database }) => {
      const change = (await findChange(database, change_id))!
      const node = (await findNodeById(database, change.node_id))!
      const model = await modelOfChange(parts, database, change, node)
      if (model.state === 'invalid')
        await parts.recordEvent({
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

/** `step.runAction(…)` of @sluice/actions: the definition of another action of the commit. */
export const stepBodies = (parts: CatalogueParts): AnyView =>
  view<RequestingStep>({
    name: 'steps.bodies',
    summary: 'Bodies of an action of the same commit and of its prerequisites, for a step that runs them itself.',
    method: 'GET',
    paths: ['/api/steps/:id/bodies'],
    parameters: { action: { schema: Type.String(), describe: 'Name of the action.', required: true } },
    answer: Type.Object({ data: Type.Object({}, { additionalProperties: true }) }, { additionalProperties: true }),
    find: ({ database, params }) => findRequestingStep(database, params['id']!),
    needs: (step, { actor }) => needsToAsk(step, actor, { right: 'read', path: step.readPath }),
    run: async ({ id, change_id }, { database, query }) => {
      const name = String(query['action'])
      const change = (await findChange(database, change_id))!
      const node = (await findNodeById(database, change.node_id))!
      const catalogue = await catalogueOfChange(parts, database, change, node)
      if ('conflict' in catalogue) throw failure('wrong-state', catalogue.conflict)
      const action = findAction(catalogue, name)
      const source = { source: { parameter: 'action' } } as const
      if (!action) throw failure('invalid', `There is no action "${name}" at this commit.`, source)
      if (action.steps.length > 0)
        throw failure('invalid', `"${action.action}" has steps, so it cannot run within another step.`, source)
      const bodies = stepTree(catalogue, name)?.definition?.bodies ?? []
      return { body: { data: { id, type: 'step_bodies', attributes: { bodies } } } }
    },
  })

/** `step.gitClone(…)` of @sluice/actions: the files of a revision, from the mirror of a remote of the same project. */
export const stepGitClone = (parts: Pick<StepExecutionParts, 'git' | 'recordEvent'>): AnyView =>
  view<RequestingStep>({
    name: 'steps.git_clone',
    summary:
      "The files of a revision of a Git remote of the step's project, as tar; from the copy where it cannot be fetched.",
    method: 'GET',
    paths: ['/api/steps/:id/git_clone'],
    parameters: {
      git_remote_name: { schema: Type.String(), describe: 'Name of the Git remote.', required: true },
      git_rev: { schema: Type.String(), describe: 'Branch, tag or commit of the remote.', required: true },
    },
    answer: Type.String({ format: 'binary' }),
    mediaType: 'application/x-tar',
    find: ({ database, params }) => findRequestingStep(database, params['id']!),
    needs: (step, { actor }) =>
      needsToAsk(step, actor, { right: 'read', path: `${step.readPath.split('/', 3).join('/')}/git_remotes` }),
    run: async (step, { database, query }) => {
      const [name, revision] = [String(query['git_remote_name']), String(query['git_rev'])]
      const remote = await remoteByName(database, step.project_id, name)
      if (!remote) throw failure('missing', `The project has no Git remote "${name}".`)
      const fault = revisionFault(revision)
      if (fault) throw failure('invalid', fault, { source: { parameter: 'git_rev' } })
      const notFetched = await refreshed(parts, database, step, remote)
      const commit = await parts.git.resolve(remote.id, revision).catch(ambiguous)
      if (!commit) {
        const why = notFetched === undefined ? '' : `, as far as it is known; it could not be fetched: ${notFetched}`
        throw failure('missing', `The Git remote "${remote.name}" has no revision "${revision}"${why}.`)
      }
      return {
        body: (await parts.git.archive(remote.id, commit)) as Readable,
        headers: {
          'sluice-commit': commit,
          ...(notFetched !== undefined && { 'sluice-not-fetched': encodeURIComponent(notFetched.slice(0, 500)) }),
        },
      }
    },
  })

function ambiguous(error: unknown): never {
  throw error instanceof GitFailure
    ? failure('invalid', error.message, { source: { parameter: 'git_rev' } })
    : (error as Error)
}

/** Why it could not be fetched; then the last fetched state is used. */
async function refreshed(
  { git, recordEvent }: Pick<StepExecutionParts, 'git' | 'recordEvent'>,
  queries: Queries,
  step: RequestingStep,
  remote: StoredRemote,
): Promise<string | undefined> {
  const why = await fetchFailureReason(git, remote)
  const project = why === undefined ? undefined : await findNodeById(queries, remote.project_id)
  if (project)
    await recordEvent({
      type: 'warn:git_remote:mountable_fetch_failed',
      actor: theService,
      source: { type: 'git_remote', id: remote.id },
      node: eventNode(project),
      activityId: step.change_id,
      attributes: { name: remote.name, error: why },
    })
  return why
}

async function fetchFailureReason(git: Git, remote: StoredRemote): Promise<string | undefined> {
  if (remote.archived) return 'it is archived'
  try {
    await git.fetch(remote.id)
    return undefined
  } catch (error) {
    if (error instanceof GitFailure) return error.message
    throw error
  }
}
