import Type from 'typebox'
import { type AnyCommand, type Context, command, done, type Target, unchanged } from '#platform/commands/command.ts'
import { Failure, type Fault, failure } from '#platform/failure.ts'
import { isUuid } from '#platform/jsonapi/kinds.ts'
import { findNode, findNodeAt, type Node, nameSchema, nodePaths, refuseArchived } from '../nodes/index.ts'
import type { Vaults } from '../secrets/index.ts'
import { type LateTreeParts, lockAsSeen, requestCancel } from '../steps/index.ts'
import type { StoredChange } from './change.store.ts'
import { actionPath } from './change.ts'
import { type ChangeTarget, changeTarget } from './change-target.tx.ts'
import { type ChangeRequest, createChange } from './make-change.tx.ts'
import { noChangesOn } from './no-changes.ts'
import { notifySchema } from './notify.ts'
import type { ChangeParts, CreateChangeParts } from './parts.port.ts'
import { planDocument } from './plan-document.ts'
import { planRetry } from './plan-retry.tx.ts'
import { purgeChange } from './purge-change.tx.ts'
import { isPurge } from './purge-ended.tx.ts'
import { isRetry, type RetryRequest, refuseRetry, retryChange, retryWithout } from './retry-change.tx.ts'

export const changeCommands = (
  parts: CreateChangeParts & Pick<ChangeParts, 'vaults'>,
  engine: LateTreeParts,
): AnyCommand[] => [
  create(parts, { name: 'changes.create', paths: ['/api/changes'], anywhere: true }),
  create(parts, {
    name: 'changes.create_on_node',
    paths: nodePaths.map(path => `/api${path}/changes`),
    anywhere: false,
  }),
  cancel(parts.vaults, engine),
]

const name = (describe: string) => Type.String({ minLength: 1, maxLength: 255, description: describe })
const document = (describe: string) =>
  Type.Optional(Type.Object({}, { additionalProperties: true, description: describe }))

const attributes = {
  action: Type.Optional(nameSchema('Action to run. Required, except for a retry.')),
  git_remote_name: Type.Optional(name('On projects and environments: the Git remote of the actions.')),
  git_rev: Type.Optional(name('On projects and environments: branch, tag or commit.')),
  template_version: Type.Optional(name('On assets: a template version other than the current one.')),
  metadata: document('Metadata, for filters.'),
  property_overrides: document('The most specific layer of its converged properties.'),
  settings_overrides: document('Settings for this change only.'),
  skip_steps: Type.Optional(
    Type.Array(name('A glob over the full path of steps.'), {
      maxItems: 1_000,
      description: 'Globs of the steps to skip.',
    }),
  ),
  starting_step: Type.Optional(
    Type.String({ minLength: 1, maxLength: 16_384, description: 'Full path of the first step to run.' }),
  ),
  auto_continue_wait_steps: Type.Optional(
    Type.Boolean({ description: 'Skips every wait step that has no approvers and no argument without a default.' }),
  ),
  build_without_cache: Type.Optional(
    Type.Boolean({ description: 'Whether its own image, if it has one, is rebuilt.' }),
  ),
  notify: Type.Optional(notifySchema),
  run_at: Type.Optional(Type.String({ format: 'date-time', description: 'Earliest start.' })),
  plan_sha: Type.Optional(
    Type.String({
      pattern: '^[0-9a-f]{64}(\\.[0-9a-f]{32})?$',
      shouldBe: 'a plan_sha as a plan shows it: 64 hexadecimal digits in lower case, then perhaps a dot and 32 more',
      description: 'Hash of the plan to carry out; refused if the plan has changed.',
    }),
  ),
  retry: Type.Optional(
    Type.Boolean({ description: 'Retries the steps of relationships.change that did not succeed.' }),
  ),
  refresh_sha: Type.Optional(Type.Boolean({ description: 'On a retry: uses the newest commit of the revision.' })),
}

/** A new change names its action and node; a retry runs what its original did. */
const required = (...names: string[]) => ({
  if: { required: ['retry'], properties: { retry: { const: true } } },
  else: { required: names },
})

type OnNode = Target & { readonly node?: Node; readonly change?: StoredChange }

function create(
  parts: CreateChangeParts,
  where: { name: string; paths: readonly string[]; anywhere: boolean },
): AnyCommand {
  return command<ChangeRequest, OnNode>({
    name: where.name,
    summary: where.anywhere ? 'Run an action on the node in parent_path' : 'Run an action on this node',
    method: 'POST',
    paths: where.paths,
    status: 201,
    event: 'api:changes:create',
    eventBody: [...recordedAttributes],
    attributes: where.anywhere
      ? Type.Object(
          { ...attributes, parent_path: Type.Optional(name('Path of a node: /projects/bank/assets/web.')) },
          { additionalProperties: false, ...required('action', 'parent_path') },
        )
      : Type.Object(attributes, { additionalProperties: false, ...required('action') }),
    relationships: ['change'],
    meta: Type.Object(
      { plan: Type.Optional(Type.Boolean({ description: 'Answers what it would run, and makes nothing.' })) },
      { additionalProperties: false },
    ),
    answers: 'change',
    dryRunAnswer: planDocument,
    find: async (context, request) => {
      const { tx } = context
      if (isRetry(request)) return findRetried(context, request, where.anywhere)
      if (!where.anywhere) return about(await findNode(tx, request.params))
      // Without a path there is nothing to find; the missing path is reported when the body is checked.
      const path = request.attributes.parent_path
      return typeof path === 'string' ? about(await findNodeAt(tx, path)) : {}
    },
    needs: ({ node, change }, { attributes }) => {
      const action = change?.action ?? attributes.action
      return node && typeof action === 'string' ? [{ right: 'execute', path: actionPath(node.path, action) }] : []
    },
    refuse: ({ node, change }) =>
      (node && noChangesOn(node)) ?? refuseArchived({ node }) ?? (change && refuseRetry(change)),
    run: async (context, { node, change }, { attributes, relationships, meta }) => {
      if (attributes.retry !== true) {
        refuseWithout(attributes, relationships, where.anywhere)
        return createChange(parts, context, node!, attributes, { plan: meta['plan'] === true })
      }
      if (!change || !node) throw retryWithout()
      const asked = attributes as RetryRequest
      return meta['plan'] === true
        ? planRetry(parts, context, { change, node }, asked)
        : retryChange(parts, context, { change, node }, asked)
    },
  })
}

const recordedAttributes = [
  'action',
  'parent_path',
  'git_remote_name',
  'git_rev',
  'template_version',
  'skip_steps',
  'starting_step',
  'auto_continue_wait_steps',
  'build_without_cache',
  'run_at',
  'retry',
  'refresh_sha',
] as const

/** The change to retry, on the node of the path. A missing id is reported when the body is checked. */
async function findRetried(
  context: Context,
  {
    params,
    relationships,
  }: { params: Readonly<Record<string, string>>; relationships: Readonly<Record<string, string>> },
  anywhere: boolean,
): Promise<OnNode | undefined> {
  const here = anywhere ? undefined : await findNode(context.tx, params)
  if (!anywhere && !here) return undefined
  const id = relationships['change']
  if (id === undefined) return here ? about(here) : {}
  const found = isUuid(id) ? await changeTarget.find(context, { params: { id } }) : undefined
  return here && found?.node.id !== here.id ? undefined : found
}

/** Refuses an empty body, which its schema does not check. */
function refuseWithout(attributes: ChangeRequest, relationships: object, anywhere: boolean): void {
  const names = ['action', ...(anywhere ? ['parent_path'] : [])].filter(each => !Object.hasOwn(attributes, each))
  const [first, ...others] = [
    ...names.map(missingAttribute),
    ...(attributes.refresh_sha === undefined ? [] : [onlyOfRetry('/data/attributes/refresh_sha', 'refresh_sha')]),
    ...(Object.keys(relationships).length === 0 ? [] : [onlyOfRetry('/data/relationships/change', 'A change')]),
  ]
  if (first) throw new Failure([first, ...others])
}

const missingAttribute = (each: string): Fault => ({
  code: 'required',
  detail: `${each} is required.`,
  source: { pointer: `/data/attributes/${each}` },
})

const onlyOfRetry = (pointer: string, what: string): Fault => ({
  code: 'invalid',
  detail: `${what} is given with retry: true only.`,
  source: { pointer },
})

const about = (node: Node | undefined): OnNode | undefined => node && { node, readPath: node.path }

/** DELETE of a change cancels it. A repetition while the cancel is in progress changes nothing. */
const cancel = (vaults: Pick<Vaults, 'removeBelow'>, engine: LateTreeParts): AnyCommand =>
  command<never, ChangeTarget>({
    name: 'changes.cancel',
    summary: 'Cancel a change: running steps are stopped, the others never start',
    method: 'DELETE',
    paths: ['/api/changes/:id'],
    status: 204,
    // api:changes:cancel is recorded at the transition, when the last running step is known to be dead.
    event: null,
    eventBody: [],
    ...changeTarget,
    parameters: {
      purge: {
        schema: Type.Boolean(),
        describe: 'Deletes a change that has ended and cannot be retried, with its log and artefacts.',
      },
    },
    needs: ({ change }, { query }) => [
      { right: isPurge(query) ? 'delete' : 'execute', path: actionPath(change.path, change.action) },
    ],
    run: async (context, found, { query }) => {
      if (isPurge(query)) return purgeChange(vaults, context, found)
      const { tx, actor } = context
      const { change } = found
      await lockAsSeen(context, change.id)
      const answer = await requestCancel(engine, tx, change.id, actor, context.about?.())
      if (answer === 'final')
        throw failure('wrong-state', 'The change has ended; there is nothing to cancel. ?purge=true deletes it.')
      return answer === 'already' ? unchanged() : done({ event: {} })
    },
  })
