import Type from 'typebox'
import { ambiguousRevision, revisionFault } from '#authoring/revision.ts'
import { type AnyCommand, type Context, command, done, type Request } from '#platform/commands/command.ts'
import { type Domain, extensionsOf } from '#platform/domain.ts'
import { Failure, type Fault, failure } from '#platform/failure.ts'
import { findRemote, type Git, GitFailure } from '../git/index.ts'
import { blockersShownTo, eventNode, lockUnarchived, type Node, refuseArchived } from '../nodes/index.ts'
import { fetchVersionJob } from './fetch-version.jobs.ts'
import { type FoundTemplate, findTemplate, templatePath } from './template.commands.ts'
import {
  deleteHistories,
  deleteTasks,
  lockVersions,
  nodesThatHad,
  nodesUsing,
  type Template,
} from './template.store.ts'
import {
  deleteVersion,
  insertVersion,
  lockVersionNamed,
  openRequest,
  type TemplateVersion,
  updateVersion,
} from './template-version.store.ts'

interface Attributes {
  readonly description?: string | null
  readonly git_rev?: string
  readonly locked?: boolean
  readonly float_git_rev?: boolean
  readonly archived?: boolean
}

interface Found extends FoundTemplate {
  /** Version of the path. Undefined: the PUT creates it. */
  readonly version: TemplateVersion | undefined
}

export const versionPath = `${templatePath}/versions/:version`

export const templateVersionCommands = (git: Git, others: readonly Domain[]): readonly AnyCommand[] => [
  put(git, others),
  destroy(others),
]

const put = (git: Git, others: readonly Domain[]): AnyCommand =>
  command<Attributes, Found>({
    name: 'template_versions.put',
    summary: 'Creates or updates a template version; its revision is fetched after the response.',
    method: 'PUT',
    paths: [versionPath],
    status: 200,
    event: 'api:template_versions:update',
    eventBody: ['description', 'git_rev', 'locked', 'float_git_rev', 'archived'],
    attributes: Type.Object(
      {
        description: Type.Optional(Type.Union([Type.String({ maxLength: 65_536 }), Type.Null()])),
        git_rev: Type.Optional(Type.String({ minLength: 1, maxLength: 255, description: 'Branch, tag or commit.' })),
        locked: Type.Optional(Type.Boolean({ description: 'Whether its commit is fixed.' })),
        float_git_rev: Type.Optional(Type.Boolean({ description: 'Whether it follows its branch or tag.' })),
        archived: Type.Optional(Type.Boolean({ description: 'true archives it, false restores it.' })),
      },
      { additionalProperties: false },
    ),
    meta: Type.Object(
      {
        fetch_revision: Type.Optional(
          Type.Boolean({ description: 'Fetches again, and moves to where the revision now is.' }),
        ),
        ignore_in_use: Type.Optional(Type.Boolean({ description: 'Moves it although nodes use it.' })),
      },
      { additionalProperties: false },
    ),
    answers: 'template_version',
    find: findVersionOrTemplate,
    needs: ({ template }) => [{ right: 'update', path: template.path }],
    refuse: refuseArchived,
    run: async (context, { node, template, version }, request) => {
      await lockUnarchived(context.tx, node)
      return version
        ? change(git, context, { node, template, version }, request)
        : make({ git, others }, context, { node, template }, request)
    },
  })

async function make(
  { git, others }: { readonly git: Git; readonly others: readonly Domain[] },
  context: Context,
  { node, template }: { node: Node; template: Template },
  { attributes, params }: Request<Attributes>,
) {
  const { tx, actor } = context
  const version = params['version'] ?? ''
  if (template.archived) throw failure('archived', `The template "${template.code}" is archived: restore it first.`)
  if (template.disabled)
    throw failure('wrong-state', `The template "${template.code}" is disabled and takes no new version.`)
  await refuseArchivedRemote(context, template)
  refuse([
    ...nameFaults(version),
    ...(attributes.git_rev === undefined ? [fault('required', 'A new version needs a "git_rev".', 'git_rev')] : []),
    ...revisionFaults(attributes.git_rev),
    ...flagFaults(attributes),
  ])
  await refuseAmbiguous(git, tx, template.git_remote_id, attributes.git_rev!)
  const made = (await insertVersion(tx, template, { ...attributes, version, git_rev: attributes.git_rev! }, actor))!
  const record = {
    id: made.id,
    type: 'template_version',
    projectId: template.project_id,
    path: template.path,
    code: version,
    createdAt: made.created_at,
  }
  for (const { onCreate } of extensionsOf(others, 'template_version'))
    await onCreate?.(context, record, { ...attributes })
  const event = aboutVersion({ id: made.id, version, template, node })
  await fetchSoon(context, made.id, node.path)
  await context.record({ type: 'info:template_version:fetch_initialize', actor: actor, ...event })
  return done({ id: made.id, status: 201, event })
}

async function change(
  git: Git,
  context: Context,
  { node, template, version }: { node: Node; template: Template; version: TemplateVersion },
  { attributes, meta }: Request<Attributes>,
) {
  const { tx } = context
  const { description = version.description } = attributes
  const wanted = { ...version, ...attributes, description: description ?? '' }
  const moves = wanted.git_rev !== version.git_rev || meta['fetch_revision'] === true
  // Fetching a version that follows a branch anyway does not re-point it for its users.
  const follows = version.float_git_rev && wanted.float_git_rev && wanted.git_rev === version.git_rev
  if (moves) {
    await refuseMove(context, version, wanted, follows || meta['ignore_in_use'] === true)
    await refuseArchivedRemote(context, template)
  } else refuseFreezing(version, wanted)
  refuse([...revisionFaults(attributes.git_rev), ...flagFaults(wanted)])
  // The present commit says nothing about another revision, or another repository.
  const isOther = wanted.git_rev !== version.git_rev || (moves && template.git_remote_id !== version.git_remote_id)
  if (isOther) await refuseAmbiguous(git, tx, template.git_remote_id, wanted.git_rev)
  await updateVersion(tx, version, wanted, { isOther, movesTo: moves ? template.git_remote_id : undefined })
  const event = aboutVersion({ id: version.id, version: version.version, template, node })
  if (moves) {
    await openRequest(tx, version.id)
    await fetchSoon(context, version.id, node.path)
    await context.record({ type: 'info:template_version:fetch_initialize', actor: context.actor, ...event })
  }
  return done({ id: version.id, event })
}

/**
 * 422 for a revision that is a branch and a tag: the request has to say which one is meant. Checked at the remote now;
 * if it does not answer, the fetch finds out.
 */
async function refuseAmbiguous(git: Git, tx: Context['tx'], gitRemoteId: string, revision: string): Promise<void> {
  const remote = await findRemote(tx, gitRemoteId)
  if (!remote) return
  const refs = await tx.external(`refs ${JSON.stringify([gitRemoteId, revision])}`, () =>
    git.askForRefs(remote, revision).catch(error => {
      if (error instanceof GitFailure) return []
      throw error
    }),
  )
  if (refs.length > 1) refuse([fault('invalid', ambiguousRevision(revision, refs), 'git_rev')])
}

/** Refuses to move a locked version, which never moves; one in use moves only with explicit consent. */
async function refuseMove(
  { tx, actor }: Context,
  version: TemplateVersion,
  wanted: { readonly locked: boolean },
  ignoreInUse: boolean,
): Promise<void> {
  if (version.locked && wanted.locked)
    throw failure('wrong-state', `Version "${version.version}" is locked: its commit never moves.`)
  if (ignoreInUse || version.state !== 'ready') return
  const uses = await nodesUsing(tx, version.template_id, version.id)
  if (uses.length > 0)
    throw failure(
      'in-use',
      `Version "${version.version}" is in use; "meta": {"ignore_in_use": true} moves it all the same.`,
      {
        meta: blockersShownTo(actor.rights, uses),
      },
    )
}

/**
 * Refuses to lock a version, or to stop following its branch, while a fetch is in progress: the caller means the commit
 * that they see, but the fetch would still move the version, and break it for its assets if the new commit cannot be
 * used.
 */
function refuseFreezing(
  version: TemplateVersion,
  wanted: { readonly locked: boolean; readonly float_git_rev: boolean },
) {
  const freezes = (wanted.locked && !version.locked) || (version.float_git_rev && !wanted.float_git_rev)
  // A version that was never ready has no commit yet.
  if (!freezes || !version.fetch_open || version.state !== 'ready') return
  const detail = `Version "${version.version}" is on its way to another commit: wait until it is there, or cancel that first (cancel_refresh).`
  throw failure('wrong-state', detail)
}

/** Refuses a template whose remote is archived: archived remotes are no longer fetched. */
async function refuseArchivedRemote({ tx }: Context, { git_remote_id }: Template): Promise<void> {
  const remote = await findRemote(tx, git_remote_id)
  if (remote?.archived)
    throw failure('archived', `The Git remote "${remote.name}" is archived and fetched no more: restore it first.`)
}

const destroy = (others: readonly Domain[]): AnyCommand =>
  command<never, FoundTemplate & { version: TemplateVersion }>({
    name: 'template_versions.delete',
    summary: 'Deletes an unused template version.',
    method: 'DELETE',
    paths: [versionPath],
    status: 204,
    event: 'api:template_versions:destroy',
    eventBody: [],
    find: async (context, request) => {
      const found = await findVersionOrTemplate(context, request)
      return found?.version && { ...found, version: found.version }
    },
    needs: ({ template }) => [{ right: 'delete', path: template.path }],
    run: async (context, { node, template, version }) => {
      const { tx } = context
      await lockVersions(tx, template.id, version.id)
      const uses = await nodesThatHad(tx, template.id, version.id)
      for (const { inUse } of extensionsOf(others, 'template_version'))
        if (inUse) uses.push(...(await tx.rows(inUse([version.id]))))
      if (uses.length > 0)
        throw failure('in-use', `Version "${version.version}" is in use; archive it instead.`, {
          meta: blockersShownTo(context.actor.rights, uses),
        })
      await deleteTasks(tx, [version.id])
      for (const { onDestroy } of extensionsOf(others, 'template_version')) await onDestroy?.(context, [version.id])
      await deleteHistories(tx, [version.id])
      await deleteVersion(tx, version.id)
      return done({ event: aboutVersion({ id: version.id, version: version.version, template, node }) })
    },
  })

export async function findVersionOrTemplate(context: Context, request: Request<unknown>): Promise<Found | undefined> {
  const found = await findTemplate(context, request)
  if (!found) return undefined
  const { rowVersion: _, ...template } = found
  const version = await lockVersionNamed(context.tx, found.template.id, request.params['version'] ?? '')
  return { ...template, version, ...(version ? { rowVersion: version.row_version } : { isAbsent: true }) }
}

const fetchSoon = ({ enqueue }: Context, templateVersionId: string, nodePath: string) =>
  enqueue(fetchVersionJob, { templateVersionId }, { key: `${fetchVersionJob}:${templateVersionId}`, nodePath })

export const aboutVersion = ({
  id,
  version,
  template,
  node,
}: {
  id: string
  version: string
  template: Template
  node: Node
}) => ({
  source: { type: 'template_version', id },
  node: eventNode(node),
  attributes: { name: version, template_code: template.code },
})

const fault = (code: Fault['code'], detail: string, attribute: string): Fault => ({
  code,
  detail,
  source: { pointer: `/data/attributes/${attribute}` },
})

/**
 * Pattern of a version's name: like other names it has visible characters, on one line and without marks of direction.
 */
const nameForm = /^(?!\.{1,2}$)(?=.*\S)[^\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]{1,100}$/u

function nameFaults(version: string): Fault[] {
  if (nameForm.test(version)) return []
  const detail =
    'A version is called by 1 to 100 characters, not all of them blank, without control characters and marks of direction, and not "." or "..".'
  return [{ code: 'invalid', detail }]
}

function revisionFaults(revision: string | undefined): Fault[] {
  const wrong = revision === undefined ? undefined : revisionFault(revision)
  return wrong === undefined ? [] : [fault('invalid', wrong, 'git_rev')]
}

const flagFaults = ({ locked, float_git_rev }: Attributes): Fault[] =>
  locked && float_git_rev
    ? [fault('invalid', 'A locked version does not float: its commit never moves.', 'float_git_rev')]
    : []

function refuse(faults: readonly Fault[]): void {
  const [first, ...others] = faults
  if (first) throw new Failure([first, ...others])
}
