import type { Rights } from '#platform/actor.ts'
import type { Queries, Tx } from '#platform/db/database.ts'
import type { JsonObject } from '#platform/documents/document.ts'
import { Failure, type Fault, failure } from '#platform/failure.ts'
import type { CatalogueKey } from '../action-catalogue/index.ts'
import type { PropertyFilesKey } from '../git/index.ts'
import type { Node } from '../nodes/index.ts'
import { type CommitInForce, commitInForce } from '../templates/index.ts'
import type { StoredChange } from './change.store.ts'
import { keepRemote, remoteNamed } from './origin.store.ts'

/** Origin of a change's actions. */
export interface Origin {
  readonly gitRemoteId: string
  readonly gitRemoteName: string
  readonly gitRev: string
  /** Commit of the revision: known at once for an asset; for other nodes it is resolved afterwards. */
  readonly commitSha: string | null
  readonly templateVersionId: string | null
  readonly templateVersion: string | null
  readonly templateCode: string | null
  /** Revision that an asset's floating template version follows. */
  readonly follows?: string | null
}

/** A place in a repository from which actions and properties are read. */
export interface Place extends CatalogueKey, PropertyFilesKey {}

/** Place from which an origin's actions and properties are read; undefined while the commit is not known. */
export const placeOf = (
  origin: Pick<Origin, 'gitRemoteId' | 'commitSha' | 'templateCode'>,
  settings: JsonObject,
): Place | undefined =>
  origin.commitSha === null
    ? undefined
    : {
        gitRemoteId: origin.gitRemoteId,
        commitSha: origin.commitSha,
        commit: origin.commitSha,
        folder: origin.templateCode ?? '',
        repoFolder: String(settings['repo_folder']),
        templateCode: origin.templateCode ?? '',
      }

/** Origin of the actions of an existing change. */
export const originOfChange = (change: StoredChange): Origin => ({
  gitRemoteId: change.git_remote_id,
  gitRemoteName: change.git_remote_name,
  gitRev: change.git_rev,
  commitSha: change.commit_sha,
  templateVersionId: change.template_version_id,
  templateVersion: change.template_version,
  templateCode: change.template_code,
})

/**
 * Locks the Git remote that a retry runs from: without it no file of its commits exists.
 *
 * @throws Failure `wrong-state` if it has been deleted
 */
export async function lockOriginRemote(tx: Tx, { gitRemoteId, gitRemoteName }: Origin): Promise<void> {
  if (await keepRemote(tx, gitRemoteId)) return
  throw failure(
    'wrong-state',
    `The Git remote ${gitRemoteName} that its actions came from has been deleted: there is nothing to run again. Where there is another one of that name, refresh_sha takes it.`,
  )
}

export interface RequestedOrigin {
  readonly git_remote_name?: string
  readonly git_rev?: string
  readonly template_version?: string
}

/**
 * The origin that a new change names: for an asset its template version, or another one of its template; for a project
 * or environment a revision of one of the project's Git remotes.
 *
 * @param namedBy readers of the caller who names another version now: a template that the caller may not read counts as
 *   missing. Absent if it was named earlier, by a schedule or in a workflow that others run
 */
export const originOf = (queries: Queries, node: Node, asked: RequestedOrigin, namedBy?: Readers): Promise<Origin> =>
  node.node_type === 'asset'
    ? ofAsset(() => commitInForce(queries, node.id, asked.template_version), asked, namedBy)
    : ofRevision(queries, node, asked, { held: true })

/** Origin for a caller that only reads, perhaps in a read-only transaction: nothing is locked. */
export const readRevision = (queries: Queries, node: Node, asked: RequestedOrigin): Promise<Origin> =>
  ofRevision(queries, node, asked, { held: false })

/** Origin of an asset whose commit has been looked up, together with those of others. */
export const originOfAsset = (
  commit: CommitInForce | undefined,
  asked: RequestedOrigin,
  namedBy?: Readers,
): Promise<Origin> => ofAsset(async () => commit, asked, namedBy)

export type Readers = Pick<Rights, 'may'>

const at = (name: string) => ({ pointer: `/data/attributes/${name}` })

async function ofAsset(
  find: () => Promise<CommitInForce | undefined>,
  asked: RequestedOrigin,
  namedBy?: Readers,
): Promise<Origin> {
  const foreign = (['git_remote_name', 'git_rev'] as const).filter(name => asked[name] !== undefined)
  const [first, ...others] = foreign.map(
    (name): Fault => ({
      code: 'invalid',
      detail: `An asset's actions come from its template version: ${name} is for projects and environments.`,
      source: at(name),
    }),
  )
  if (first) throw new Failure([first, ...others])
  const inForce = await find()
  const mayName = !inForce || inForce.isItsOwn || !namedBy || namedBy.may('read', inForce.templatePath)
  if (!inForce || !mayName) {
    const which =
      asked.template_version === undefined
        ? 'The asset has no version'
        : `There is no version ${asked.template_version}`
    throw failure('wrong-state', `${which} of its template that is ready to run.`, {
      source: at('template_version'),
    })
  }
  const { gitRemoteId, gitRemoteName, gitRev, commit, templateVersionId, version, templateCode, follows } = inForce
  return {
    gitRemoteId,
    gitRemoteName,
    gitRev,
    commitSha: commit,
    templateVersionId,
    templateVersion: version,
    templateCode,
    follows,
  }
}

async function ofRevision(
  queries: Queries,
  node: Node,
  asked: RequestedOrigin,
  how: { held: boolean },
): Promise<Origin> {
  const faults: Fault[] = [
    ...(['git_remote_name', 'git_rev'] as const)
      .filter(name => asked[name] === undefined)
      .map(
        (name): Fault => ({
          code: 'required',
          detail: `A change of ${node.node_type === 'project' ? 'a project' : 'an environment'} says where its actions come from: ${name} is missing.`,
          source: at(name),
        }),
      ),
    ...(asked.template_version === undefined
      ? []
      : [
          {
            code: 'invalid',
            detail: `${node.node_type === 'project' ? 'A project' : 'An environment'} has no template: template_version is for assets.`,
            source: at('template_version'),
          } as const,
        ]),
  ]
  const [first, ...others] = faults
  if (first) throw new Failure([first, ...others])
  const remote = await remoteNamed(queries, node.project_id, asked.git_remote_name!, how)
  if (!remote)
    throw failure('invalid', `The project has no Git remote ${asked.git_remote_name}.`, {
      source: at('git_remote_name'),
    })
  if (remote.archived) throw failure('archived', `The Git remote ${remote.name} is archived.`)
  return {
    gitRemoteId: remote.id,
    gitRemoteName: remote.name,
    gitRev: asked.git_rev!,
    commitSha: null,
    templateVersionId: null,
    templateVersion: null,
    templateCode: null,
  }
}
