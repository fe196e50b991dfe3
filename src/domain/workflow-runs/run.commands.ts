import Type from 'typebox'
import {
  type AnyCommand,
  type Context,
  command,
  done,
  type Request,
  type Target,
  unchanged,
} from '#platform/commands/command.ts'
import { type Failure, failure, missing } from '#platform/failure.ts'
import { isUuid } from '#platform/jsonapi/kinds.ts'
import { isPurge, notifySchema } from '../changes/index.ts'
import { findNode, findNodeAt, findNodeById, type Node, refuseArchived } from '../nodes/index.ts'
import {
  type LateTreeParts,
  lockAsSeen,
  type PauseAnswer,
  requestCancel,
  requestPause,
  requestResume,
} from '../steps/index.ts'
import { alignJob } from './align-pause.jobs.ts'
import { aboutRun, createRun, type NewRun, needsOfRun, refusal } from './create-run.tx.ts'
import type { PlanRunParts } from './parts.port.ts'
import { runPlanDocument } from './plan-document.ts'
import { planRun, refuseMovedRun } from './plan-run.tx.ts'
import { purgeRun } from './purge-run.tx.ts'
import { refuseRetry, retryRun } from './retry-run.tx.ts'
import { findRun, type StoredRun } from './run.store.ts'
import { runPath } from './run.ts'

export const runCommands = (parts: PlanRunParts, engine: LateTreeParts): AnyCommand[] => [
  create(parts, { name: 'workflow_runs.create', paths: ['/api/workflow_runs'], anywhere: true }),
  create(parts, {
    name: 'workflow_runs.create_of_workflow',
    paths: ['/api/projects/:project_code/workflows/:workflow_code/runs'],
    anywhere: false,
  }),
  cancel(engine),
  pausing({
    name: 'pause',
    summary:
      'Pause a run and the changes and runs that it started: running steps finish, and nothing else starts until it is resumed',
    ask: ({ tx, actor }, id) => requestPause(engine, tx, id, actor),
  }),
  pausing({
    name: 'resume',
    summary: 'Resume a paused run and the changes and runs that it started',
    ask: ({ tx }, id) => requestResume(engine, tx, id),
  }),
]

interface Attributes extends Partial<Omit<NewRun, 'workflow'>> {
  readonly parent_path?: string
  readonly workflow_code?: string
  readonly retry?: boolean
  readonly plan_sha?: string
}

const text = (describe: string) => Type.String({ minLength: 1, maxLength: 255, description: describe })
const document = (describe: string) =>
  Type.Optional(Type.Object({}, { additionalProperties: true, description: describe }))

const attributes = {
  version: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 2_147_483_647, description: 'A published version; default the latest.' }),
  ),
  property_overrides: document('Overrides of the project’s properties, for `{{path}}` in the workflow.'),
  metadata: document('Metadata, for filters.'),
  skip_steps: Type.Optional(
    Type.Array(text('A glob over the names of steps.'), {
      maxItems: 1_000,
      description: 'Globs of the steps to skip.',
    }),
  ),
  notify: Type.Optional(notifySchema),
  run_at: Type.Optional(Type.String({ format: 'date-time', description: 'Earliest start.' })),
  plan_sha: Type.Optional(
    Type.String({
      pattern: '^[0-9a-f]{64}$',
      shouldBe: 'a plan_sha as a plan shows it: 64 hexadecimal digits in lower case',
      description: 'Hash of the plan to carry out; refused if the plan has changed.',
    }),
  ),
  retry: Type.Optional(
    Type.Boolean({ description: 'Retries the run in relationships.workflow_run; no other attribute is needed.' }),
  ),
}

const anywhere = {
  parent_path: Type.Optional(text('Path of the project: /projects/bank.')),
  workflow_code: Type.Optional(text('Code of the workflow.')),
}

/** `project` and `code`: the workflow to run; `retried`: the run to retry. */
type OnProject = Target & { readonly project?: Node; readonly code?: string; readonly retried?: StoredRun }

function create(parts: PlanRunParts, where: { name: string; paths: readonly string[]; anywhere: boolean }): AnyCommand {
  return command<Attributes, OnProject>({
    name: where.name,
    summary: where.anywhere ? 'Run a workflow, or retry a run that did not succeed' : 'Run this workflow',
    method: 'POST',
    paths: where.paths,
    status: 201,
    event: 'api:workflow_runs:create',
    eventBody: ['parent_path', 'workflow_code', 'version', 'skip_steps', 'run_at', 'retry'],
    attributes: Type.Object(where.anywhere ? { ...attributes, ...anywhere } : attributes, {
      additionalProperties: false,
    }),
    relationships: ['workflow_run'],
    meta: Type.Object(
      { plan: Type.Optional(Type.Boolean({ description: 'Returns what it would run, and creates nothing.' })) },
      { additionalProperties: false },
    ),
    answers: 'workflow_run',
    dryRunAnswer: runPlanDocument,
    find: (context, request) => findProject(context, request, where.anywhere),
    needs: ({ project, code }) => (project && code !== undefined ? [needsOfRun(project, code)] : []),
    refuse: ({ project, retried }) =>
      (project && refusal(project)) ?? refuseArchived({ node: project }) ?? (retried && refuseRetry(retried)),
    run: async (context, { project, code, retried }, request) => {
      const { plan_sha: planSha, ...asked } = request.attributes
      const bound = async (id: string): Promise<string> => {
        if (planSha !== undefined) await refuseMovedRun(parts, context, id, planSha)
        return id
      }
      if (retried) {
        const retry = async () => bound(await retryRun(parts, context, project!, retried, asked))
        if (request.meta['plan'] === true) return planRun(parts, context, project!, retry)
        const id = await retry()
        return done({ id, event: aboutRun(id, project!, retried.workflow_code) })
      }
      if (asked.retry === true || !project || code === undefined) throw lacking(request)
      if (request.relationships['workflow_run'] !== undefined) throw onlyOfRetry()
      const { parent_path: _, workflow_code: __, retry: ___, ...given } = asked
      const make = async () => {
        const made = await createRun(parts, context, project, { ...given, workflow: code } as NewRun)
        await bound(made.id)
        return made
      }
      if (request.meta['plan'] === true) return planRun(parts, context, project, async () => (await make()).id)
      const made = await make()
      return done({ id: made.id, event: aboutRun(made.id, project, made.code) })
    },
  })
}

async function findProject(
  context: Context,
  request: Request<Attributes>,
  isAnywhere: boolean,
): Promise<OnProject | undefined> {
  const { params, attributes } = request
  const here = isAnywhere ? undefined : await ofWorkflow(context, params)
  if (!isAnywhere && !here) return undefined
  if (attributes.retry === true) return findRetried(context, request, here)
  if (here) return here
  const { parent_path: path, workflow_code: workflow } = attributes
  // Without a path there is nothing to find; the missing path is reported when the body is checked.
  if (typeof path !== 'string') return {}
  const project = await findNodeAt(context.tx, path)
  if (project?.node_type !== 'project') return undefined
  return { project, readPath: project.path, ...(typeof workflow === 'string' && { code: workflow }) }
}

async function ofWorkflow({ tx }: Context, params: Request<unknown>['params']): Promise<OnProject | undefined> {
  const { workflow_code, ...place } = params
  const project = await findNode(tx, place)
  return project && { project, code: workflow_code!, readPath: project.path }
}

/** The run to retry, of the workflow of the path. A missing id is reported when the body is checked. */
async function findRetried(
  { tx }: Context,
  { relationships }: Request<Attributes>,
  here: OnProject | undefined,
): Promise<OnProject | undefined> {
  const id = relationships['workflow_run']
  if (id === undefined) return here ?? {}
  const retried = isUuid(id) ? await findRun(tx, id) : undefined
  const project = retried && (await findNodeById(tx, retried.project_id))
  if (!project || (here && (here.project?.id !== project.id || here.code !== retried!.workflow_code))) return undefined
  return { project, retried: retried!, code: retried!.workflow_code, readPath: project.path }
}

function lacking({ attributes }: Request<Attributes>): Failure {
  if (attributes.retry === true)
    return failure('required', 'A retry names its run: data.relationships.workflow_run.', {
      source: { pointer: '/data/relationships/workflow_run' },
    })
  const name = attributes.parent_path === undefined ? 'parent_path' : 'workflow_code'
  return failure('required', `A run says what it runs: ${name} is missing.`, {
    source: { pointer: `/data/attributes/${name}` },
  })
}

const onlyOfRetry = (): Failure =>
  failure('invalid', 'A run is given with retry: true only.', {
    source: { pointer: '/data/relationships/workflow_run' },
  })

type OnRun = Target & { readonly run: StoredRun; readonly project: Node }

const onRun = {
  find: async ({ tx }: Context, { params }: { readonly params: Readonly<Record<string, string>> }) => {
    const run = await findRun(tx, params['id']!)
    const project = run && (await findNodeById(tx, run.node_id))
    return project && { run: run!, project, readPath: project.path, rowVersion: run!.row_version }
  },
  needs: ({ run, project }: OnRun) => [needsOfRun(project, run.workflow_code)],
}

/**
 * DELETE of a run cancels it and its children. A repetition while the cancel is in progress changes nothing. With
 * `purge` it deletes a run that has ended.
 */
const cancel = (engine: LateTreeParts): AnyCommand =>
  command<never, OnRun>({
    name: 'workflow_runs.cancel',
    summary: 'Cancel a run and the changes and runs that it started: running steps are stopped, the others never start',
    method: 'DELETE',
    paths: ['/api/workflow_runs/:id'],
    status: 204,
    // api:workflow_runs:cancel is recorded at the transition, when its children are known to have ended.
    event: null,
    eventBody: [],
    ...onRun,
    parameters: {
      purge: {
        schema: Type.Boolean(),
        describe: 'Deletes a run that has ended and cannot be retried. The changes that it started stay.',
      },
    },
    needs: ({ run, project }, { query }) => [
      { right: isPurge(query) ? 'delete' : 'execute', path: runPath(project.path, run.workflow_code) },
    ],
    run: async (context, found, { query }) => {
      if (isPurge(query)) return purgeRun(context, found)
      const { tx, actor } = context
      await lockAsSeen(context, found.run.id)
      const answer = await requestCancel(engine, tx, found.run.id, actor, context.about?.())
      if (answer === 'final')
        throw failure('wrong-state', 'The run has ended; there is nothing to cancel. ?purge=true deletes it.')
      return answer === 'already' ? unchanged() : done({ event: {} })
    },
  })

function pausing(what: {
  name: 'pause' | 'resume'
  summary: string
  ask: (context: Context, id: string) => Promise<PauseAnswer>
}): AnyCommand {
  return command<{ reason?: string }, OnRun>({
    name: `workflow_runs.${what.name}`,
    summary: what.summary,
    method: 'POST',
    paths: [`/api/workflow_runs/:id/${what.name}`],
    status: 200,
    event: `api:workflow_runs:${what.name}`,
    eventBody: ['reason'],
    attributes: Type.Object(
      { reason: Type.Optional(Type.String({ maxLength: 4_096, description: 'Reason, for the record.' })) },
      { additionalProperties: false },
    ),
    answers: 'workflow_run',
    ...onRun,
    run: async (context, { run, project }) => {
      await lockAsSeen(context, run.id)
      const answer = await what.ask(context, run.id)
      if (answer === 'already') return unchanged(run.id)
      if (answer !== 'done') throw impossible[answer]()
      await alignJob.ask(context, run.id)
      return done({ id: run.id, event: aboutRun(run.id, project, run.workflow_code) })
    },
  })
}

const impossible: Readonly<Record<Exclude<PauseAnswer, 'done' | 'already'>, () => Failure>> = {
  missing,
  final: () => failure('wrong-state', 'The run has ended.'),
  cancelling: () => failure('wrong-state', 'The run is ending already: it is being cancelled, or was rejected.'),
}
