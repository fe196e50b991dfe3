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
import type { Keyring } from '#platform/crypto/index.ts'
import type { Tx } from '#platform/db/database.ts'
import { changeAttributes } from '#platform/documents/document.commands.ts'
import { type Domain, extensionsOf } from '#platform/domain.ts'
import { Failure, type Fault, failure } from '#platform/failure.ts'
import {
  blockersShownTo,
  eventNode,
  findNode,
  lockUnarchived,
  type Node,
  nameSchema,
  refuseArchived,
} from '../nodes/index.ts'
import type { Credentials } from './credentials.adapter.ts'
import type { Git } from './git.adapter.ts'
import { GitFailure } from './git-failure.ts'
import { fetchRemoteJob } from './git-remote.jobs.ts'
import {
  credentialsOf,
  deleteRemote,
  insertRemote,
  lockAgainstReferences,
  lockRemote,
  newRemoteId,
  remoteByName,
  type StoredRemote,
  sealCredentials,
  updateRemote,
} from './git-remote.store.ts'
import {
  type CredentialAttributes,
  credentialFaults,
  moveFaults,
  path,
  urlFaults,
  withCredentials,
} from './git-remote.ts'

export interface GitRemoteParts {
  readonly git: Git
  readonly keyring: Keyring
  /** Domains to the right: users of a remote, and data deleted with it. */
  readonly others: readonly Domain[]
}

interface Attributes extends CredentialAttributes {
  readonly name?: string
  readonly url?: string
  readonly public_url?: string | null
  readonly user?: string | null
  readonly periodic_fetch_interval?: number | null
  readonly archived?: boolean
}

interface Found extends Target {
  readonly node: Node
  readonly remote: StoredRemote
}

const nullable = (schema: object) => Type.Union([Type.Unsafe(schema), Type.Null()])
const text = (describe: string, maxLength = 4_096) => ({
  type: 'string',
  minLength: 1,
  maxLength,
  description: describe,
})

const name = nameSchema('Name, unique in its project.')
const url = Type.Unsafe<string>(text('URL that it is fetched from: https://…, ssh://…, user@host:path.', 2_048))
const optional = {
  public_url: Type.Optional(
    nullable({
      ...text('URL for people, such as a page of the repository.', 2_048),
      pattern: '^https?://[^\\s]+$',
      shouldBe: 'a http:// or https:// address of at most 2048 characters',
    }),
  ),
  user: Type.Optional(nullable(text('User name for the Git server.', 255))),
  password: Type.Optional(nullable(text('Password or token; write-only.'))),
  ssh_key_data: Type.Optional(nullable(text('Private key for SSH; write-only.', 65_536))),
  passphrase: Type.Optional(nullable(text('Passphrase of the private key; write-only.'))),
  periodic_fetch_interval: Type.Optional(nullable({ type: 'integer', minimum: 60, maximum: 86_400 })),
  archived: Type.Optional(Type.Boolean({ description: 'true archives it, false restores it.' })),
}
const shownInEvents = ['name', 'url', 'public_url', 'user', 'periodic_fetch_interval', 'archived']

const list = '/api/projects/:project_code/git_remotes'

export const gitRemoteCommands = (parts: GitRemoteParts): readonly AnyCommand[] => [
  create(parts),
  update(parts),
  destroy(parts.others),
]

const create = ({ git, keyring }: Pick<GitRemoteParts, 'git' | 'keyring'>): AnyCommand =>
  command<Attributes & { name: string; url: string }, Target & { node: Node }>({
    name: 'git_remotes.create',
    summary: 'Creates a Git remote, whether or not it is reachable.',
    method: 'POST',
    paths: [list],
    status: 201,
    event: 'api:git_remotes:create',
    eventBody: shownInEvents,
    attributes: Type.Object({ name, url, ...optional }, { additionalProperties: false }),
    answers: 'git_remote',
    find: async ({ tx }, { params }) => {
      const node = await findNode(tx, params)
      return node && { node, readPath: node.path }
    },
    needs: ({ node }) => [{ right: 'update', path: `${node.path}/git_remotes` }],
    refuse: refuseArchived,
    collides: ({ tx }, { node }, { attributes }) => nameCollides(tx, node.id, attributes.name),
    run: async (context, { node }, { attributes }) => {
      const { tx, actor } = context
      await lockUnarchived(tx, node)
      await refuseTaken(tx, node.id, attributes.name)
      refuse([...urlFaults(attributes.url, git.protocols), ...credentialFaults(attributes)])
      const credentials = withCredentials({}, attributes)
      const id = await newRemoteId(tx)
      const made = await insertRemote(
        tx,
        id,
        node,
        {
          name: attributes.name.normalize('NFC'),
          url: attributes.url,
          public_url: attributes.public_url ?? null,
          user: attributes.user ?? null,
          periodic_fetch_interval: attributes.periodic_fetch_interval ?? null,
          archived: attributes.archived ?? false,
          path: path(node.path, id),
          credentials,
          sealed: sealed(keyring, id, credentials),
        },
        actor,
      )
      if (made === 0) throw nameTaken(attributes.name)
      const event = about(id, attributes.name, node, { before: {}, after: credentials })
      if (attributes.archived) return done({ id, event })
      await fetchSoon(context, { id, path: node.path }, 'create')
      const afterwards = unreachable(git, { url: attributes.url, user: attributes.user ?? null, credentials })
      return done({ id, event, afterwards })
    },
  })

const update = ({ git, keyring }: Pick<GitRemoteParts, 'git' | 'keyring'>): AnyCommand =>
  command<Attributes, Found>({
    name: 'git_remotes.update',
    summary: 'Updates, archives or restores a Git remote.',
    method: 'PATCH',
    paths: [`${list}/:id`],
    status: 200,
    event: 'api:git_remotes:update',
    eventBody: shownInEvents,
    attributes: Type.Object(
      { name: Type.Optional(name), url: Type.Optional(url), ...optional },
      { additionalProperties: false },
    ),
    answers: 'git_remote',
    find,
    needs: ({ remote }) => [{ right: 'update', path: remote.path }],
    refuse: refuseArchived,
    collides: ({ tx }, { node, remote }, { attributes }) => nameCollides(tx, node.id, attributes.name, remote.id),
    run: async (context, { node, remote }, { attributes }) => {
      const { tx, actor } = context
      await lockUnarchived(tx, node)
      await refuseTaken(tx, node.id, attributes.name, remote.id)
      const stored = credentialsOf(keyring, remote)
      const wanted = { ...remote, ...attributes, name: attributes.name?.normalize('NFC') ?? remote.name }
      const credentials = withCredentials(stored, attributes)
      const moved = attributes.url !== undefined && attributes.url !== remote.url
      refuse([
        ...(moved ? urlFaults(wanted.url, git.protocols) : []),
        ...(moved
          ? moveFaults(remote.url, wanted.url, {
              ...{ allowed: git.protocols, stored, given: attributes },
              superuser: actor.rights.superuser,
            })
          : []),
        ...credentialFaults(attributes),
      ])
      const otherCredentials = JSON.stringify(sorted(stored)) !== JSON.stringify(sorted(credentials))
      const changed = await tx
        .savepoint(() =>
          updateRemote(
            tx,
            remote.id,
            {
              ...wanted,
              credentials,
              sealed: otherCredentials ? sealed(keyring, remote.id, credentials) : remote.credentials,
            },
            { otherCredentials },
          ),
        )
        .catch(nameTakenInstead(wanted.name))
      if (changed === 0) return unchanged(remote.id)
      const event = about(remote.id, wanted.name, node, { before: stored, after: credentials })
      if (
        wanted.archived ||
        (!moved && !otherCredentials && wanted.user === remote.user && remote.archived === wanted.archived)
      )
        return done({ id: remote.id, event })
      await fetchSoon(context, { id: remote.id, path: node.path }, 'update')
      return done({ id: remote.id, event, afterwards: unreachable(git, { ...wanted, credentials }) })
    },
  })

const destroy = (others: readonly Domain[]): AnyCommand =>
  command<never, Found>({
    name: 'git_remotes.delete',
    summary: 'Deletes an unused Git remote.',
    method: 'DELETE',
    paths: [`${list}/:id`],
    status: 204,
    event: 'api:git_remotes:destroy',
    eventBody: [],
    find,
    needs: ({ remote }) => [{ right: 'delete', path: remote.path }],
    run: async (context, { node, remote }) => {
      const extensions = extensionsOf(others, 'git_remote')
      // Locked against new references: existing ones are checked afterwards.
      await lockAgainstReferences(context.tx, remote.id)
      const uses = []
      for (const { inUse } of extensions) if (inUse) uses.push(...(await context.tx.rows(inUse([remote.id]))))
      if (uses.length > 0)
        throw failure('in-use', `"${remote.name}" is in use; archive it instead.`, {
          meta: blockersShownTo(context.actor.rights, uses),
        })
      for (const { onDestroy } of extensions) await onDestroy?.(context, [remote.id])
      await deleteRemote(context.tx, remote.id)
      await context.enqueue('git.forget_remote', { gitRemoteId: remote.id })
      return done({ event: about(remote.id, remote.name, node, undefined) })
    },
  })

async function find({ tx }: Context, { params }: Request<unknown>): Promise<Found | undefined> {
  const node = await findNode(tx, params)
  const remote = node && (await lockRemote(tx, node.id, params['id'] ?? ''))
  return node && remote && { node, remote, readPath: remote.path, rowVersion: remote.row_version }
}

const sealed = (keyring: Keyring, id: string, credentials: Credentials): Buffer | null =>
  Object.keys(credentials).length > 0 ? sealCredentials(keyring, id, credentials) : null

const sorted = (credentials: Credentials) => Object.entries(credentials).toSorted(([a], [b]) => (a < b ? -1 : 1))

const fetchSoon = ({ enqueue }: Context, { id, path }: { id: string; path: string }, why: 'create' | 'update') =>
  enqueue(fetchRemoteJob, { gitRemoteId: id, why }, { key: `git.fetch:${id}`, nodePath: path })

/**
 * Checks whether a remote can be reached. The result does not prevent storing it; the job that fetches it first records
 * a failure. The check takes up to 5 s, during which no lock is held.
 */
const unreachable = (git: Git, remote: Parameters<Git['probe']>[0]) => async () => {
  try {
    await git.probe(remote)
    return undefined
  } catch (error) {
    if (!(error instanceof GitFailure)) throw error
    return { warnings: [`The remote could not be reached: ${error.message}`] }
  }
}

/** Event attributes of a remote: never its credentials, only whether they were changed. */
const about = (
  id: string,
  name: string,
  node: Node,
  credentials: { before: Credentials; after: Credentials } | undefined,
) => {
  const changes = credentials && changeAttributes({ ...credentials.before }, { ...credentials.after })
  return {
    source: { type: 'git_remote', id },
    node: eventNode(node),
    attributes: { name, ...(changes && changes.changed_pointers.length > 0 && changes) },
  }
}

/** Refuses a name that is in use, before other values are checked: 409 goes before 422. */
async function refuseTaken(...asked: Parameters<typeof nameCollides>): Promise<void> {
  const taken = await nameCollides(...asked)
  if (taken) throw taken
}

/** @param id of the remote with that new name */
async function nameCollides(tx: Tx, projectId: string, name?: string, id?: string): Promise<Failure | undefined> {
  const other = name === undefined ? undefined : await remoteByName(tx, projectId, name)
  return other && other.id !== id ? nameTaken(name!) : undefined
}

const nameTaken = (name: string): Failure =>
  failure('code-taken', `There is a Git remote "${name}" in this project.`, {
    source: { pointer: '/data/attributes/name' },
  })

const nameTakenInstead = (name: string) => (error: { code?: string }) => {
  throw error.code === '23505' ? nameTaken(name) : error
}

function refuse(faults: readonly Fault[]): void {
  const [first, ...others] = faults
  if (first) throw new Failure([first, ...others])
}
