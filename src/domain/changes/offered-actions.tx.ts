import { type ActionCatalogue, findAction } from '#authoring/actions/action.ts'
import type { Queries } from '#platform/db/database.ts'
import { Failure, failure } from '#platform/failure.ts'
import { nearestTo } from '#platform/nearest-name.ts'
import { findCatalogue, loadCatalogue, type StoredCatalogue } from '../action-catalogue/index.ts'
import { type Git, GitFailure } from '../git/index.ts'
import type { Node } from '../nodes/index.ts'
import { commitsInForce } from '../templates/index.ts'
import { actionsOfChange } from './actions-of-change.tx.ts'
import { noChangesOn } from './no-changes.ts'
import { type Origin, originOfAsset, type Readers, type RequestedOrigin, readRevision } from './origin.tx.ts'
import type { ChangeParts } from './parts.port.ts'

/** A change that is yet to be requested, for example by a schedule or a workflow. */
export interface RequestedAction extends RequestedOrigin {
  readonly node: Node
  readonly action: string
  /** Readers of the caller who names the template version now (`originOf`). */
  readonly namedBy?: Readers
}

/** Why a node does not offer an action, and which part of the request is at fault. */
export interface OfferFault {
  readonly about: 'target' | 'action' | 'template_version' | 'git_remote_name' | 'git_rev'
  readonly message: string
}

type OfferParts = Pick<ChangeParts, 'git' | 'model'>

/**
 * Checks whether each of these changes could be created now: its node offers the action, at the version or revision
 * that it names. Facts that only a run of a user's program can tell are left to the change. A revision is looked up in
 * the mirror, and fetched if the mirror does not have it, outside of the caller's transaction.
 */
export const offeredActions =
  (parts: OfferParts) =>
  async (queries: Queries, asked: readonly RequestedAction[]): Promise<(OfferFault | undefined)[]> => {
    // Equal steps are checked once: a workflow of 1 MiB has ten thousand.
    const distinct = new Map(asked.map(each => [JSON.stringify(wordsOf(each)), each]))
    const found = await offeredEach(parts, queries, [...distinct.values()])
    const faults = new Map([...distinct.keys()].map((key, at) => [key, found[at]]))
    return asked.map(each => faults.get(JSON.stringify(wordsOf(each))))
  }

const wordsOf = ({ node, action, template_version, git_remote_name, git_rev }: RequestedAction) => [
  node.id,
  action,
  template_version ?? null,
  git_remote_name ?? null,
  git_rev ?? null,
]

async function offeredEach(
  parts: OfferParts,
  queries: Queries,
  asked: readonly RequestedAction[],
): Promise<(OfferFault | undefined)[]> {
  const origins = await originsOf(queries, asked)
  const revisions = await revisionsOf(parts.git, queries, asked, origins)
  const catalogues = new Catalogues(queries)
  const faults: (OfferFault | undefined)[] = []
  for (const [i, each] of asked.entries()) {
    const origin = origins[i]!
    faults.push('about' in origin ? origin : await faultOf(parts, queries, each, origin, revisions, catalogues))
  }
  return faults
}

/** The commits of all assets are looked up at once. */
async function originsOf(queries: Queries, asked: readonly RequestedAction[]): Promise<(Origin | OfferFault)[]> {
  const assets = asked.filter(({ node }) => node.node_type === 'asset')
  const commits = await commitsInForce(
    queries,
    assets.map(({ node, template_version: version }) => ({ nodeId: node.id, version })),
  )
  const commitOf = new Map(assets.map((each, at) => [each, commits.get(at)]))
  const origins: (Origin | OfferFault)[] = []
  for (const each of asked) {
    const { node, namedBy, ...named } = each
    const origin = () =>
      node.node_type === 'asset'
        ? originOfAsset(commitOf.get(each), named, namedBy)
        : readRevision(queries, node, named)
    origins.push(await orFault('target', async () => originUnless(noChangesOn(node), origin)))
  }
  return origins
}

async function originUnless(refusal: Failure | undefined, origin: () => Promise<Origin>): Promise<Origin> {
  if (refusal) throw refusal
  return origin()
}

async function faultOf(
  parts: Pick<OfferParts, 'model'>,
  queries: Queries,
  { node, action }: RequestedAction,
  origin: Origin,
  revisions: ReadonlyMap<string, AtRevision>,
  catalogues: Catalogues,
): Promise<OfferFault | undefined> {
  if (origin.commitSha === null) {
    const found = revisions.get(revisionKey(origin))!
    if ('about' in found) return found
    return found.catalogue && notAmong(found.catalogue, action, node, `at ${origin.gitRev} of ${origin.gitRemoteName}`)
  }
  const { gitRemoteId, commitSha, templateCode } = origin
  const offer = await orFault('action', async () => {
    const file = await catalogues.of({ gitRemoteId, commit: commitSha, folder: templateCode ?? '' }, node.id)
    if (file?.state === 'broken') throw failure('wrong-state', `Its actions cannot be read: ${file.error}`)
    return {
      catalogue:
        file?.state === 'ready' && (await actionsOfChange(parts, queries, { node, action, commitSha }, file.catalogue)),
    }
  })
  if ('about' in offer) return offer
  return offer.catalogue
    ? notAmong(offer.catalogue, action, node, `in version ${origin.templateVersion} of its template`)
    : undefined
}

function notAmong(catalogue: ActionCatalogue, action: string, node: Node, where: string): OfferFault | undefined {
  if (findAction(catalogue, action)) return undefined
  const nearest = nearestTo(
    action,
    catalogue.actions.map(each => each.action),
  )
  const hint = nearest === undefined ? '' : ` Did you mean "${nearest}"?`
  return { about: 'action', message: `${node.path} offers no action "${action}" ${where}.${hint}` }
}

/** Actions of each commit are read once; those that depend on their asset, once per asset. */
class Catalogues {
  readonly #queries: Queries
  readonly #read = new Map<string, StoredCatalogue | undefined>()

  constructor(queries: Queries) {
    this.#queries = queries
  }

  async of(key: Parameters<typeof findCatalogue>[1], nodeId: string): Promise<StoredCatalogue | undefined> {
    const name = `${key.gitRemoteId}:${key.commit}:${key.folder}`
    if (!this.#read.has(name)) this.#read.set(name, await findCatalogue(this.#queries, key))
    const any = this.#read.get(name)
    return any?.readsInput || any?.readsCatalogue ? findCatalogue(this.#queries, key, nodeId) : any
  }
}

/** `catalogue` undefined: only a program knows. */
type AtRevision = OfferFault | { readonly catalogue: ActionCatalogue | undefined }

const revisionKey = ({ gitRemoteId, gitRev }: Pick<Origin, 'gitRemoteId' | 'gitRev'>): string =>
  `${gitRemoteId}:${gitRev}`

/** The actions at all named revisions, read from Git together. */
async function revisionsOf(
  git: Git,
  queries: Queries,
  asked: readonly RequestedAction[],
  origins: readonly (Origin | OfferFault)[],
): Promise<ReadonlyMap<string, AtRevision>> {
  const wanted = new Map<string, { origin: Origin; actions: string[] }>()
  for (const [i, origin] of origins.entries()) {
    if ('about' in origin || origin.commitSha !== null) continue
    const each = wanted.get(revisionKey(origin)) ?? { origin, actions: [] }
    each.actions.push(asked[i]!.action)
    wanted.set(revisionKey(origin), each)
  }
  if (wanted.size === 0) return new Map()
  const question = `actions at ${[...wanted.keys()].toSorted().join(' ')}`
  return queries.external(question, async () => {
    const found = new Map<string, AtRevision>()
    const fetched = new Set<string>()
    for (const [key, { origin, actions }] of wanted) found.set(key, await atRevision(git, origin, actions, fetched))
    return found
  })
}

/**
 * Catalogue in the mirror; fetched first if the mirror lacks the revision, or one of the actions, which may be newer.
 *
 * @param fetched ids of the remotes that have already been fetched for this check
 */
async function atRevision(
  git: Git,
  origin: Origin,
  actions: readonly string[],
  fetched: Set<string>,
): Promise<AtRevision> {
  try {
    const before = await inMirror(git, origin)
    if ('catalogue' in before && actions.every(action => !before.catalogue || findAction(before.catalogue, action)))
      return before
    if (fetched.has(origin.gitRemoteId)) return before
    await git.fetch(origin.gitRemoteId)
    fetched.add(origin.gitRemoteId)
    return await inMirror(git, origin)
  } catch (error) {
    if (!(error instanceof GitFailure)) throw error
    return {
      about: 'git_remote_name',
      message: `The Git remote ${origin.gitRemoteName} cannot be read: ${error.message}`,
    }
  }
}

async function inMirror(git: Git, { gitRemoteId, gitRemoteName, gitRev }: Origin): Promise<AtRevision> {
  const commit = await git.resolve(gitRemoteId, gitRev)
  if (commit === undefined)
    return { about: 'git_rev', message: `The Git remote ${gitRemoteName} has no revision ${gitRev}.` }
  const read = await loadCatalogue(git, { gitRemoteId, commit, folder: '' })
  if (read.state === 'broken')
    return { about: 'git_rev', message: `The actions at ${gitRev} cannot be read: ${read.error}` }
  return { catalogue: read.state === 'ready' ? read.catalogue : undefined }
}

/** Turns a failure into a fault of the attribute that caused it. */
async function orFault<T>(otherwise: OfferFault['about'], work: () => Promise<T>): Promise<T | OfferFault> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    const [fault] = error.faults
    const named = /^\/data\/attributes\/(action|template_version|git_remote_name|git_rev)$/.exec(
      fault.source?.pointer ?? '',
    )
    return { about: (named?.[1] as OfferFault['about'] | undefined) ?? otherwise, message: fault.detail }
  }
}
