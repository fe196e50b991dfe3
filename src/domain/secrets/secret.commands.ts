import Type from 'typebox'
import { shortestSecret } from '#authoring/shortest-secret.ts'
import type { Need } from '#platform/actor.ts'
import { type Answered, type AnyCommand, type Context, command, type Target } from '#platform/commands/command.ts'
import type { Tx } from '#platform/db/database.ts'
import { failure } from '#platform/failure.ts'
import { ownPlace } from './generated-secret.tx.ts'
import { mayUse, readReference, referenceOf, type SecretPlace } from './reference.ts'
import { findOwner } from './secret-owner.store.ts'
import { type AreaDocuments, needToResolve, needToStore } from './secrets-right.tx.ts'
import type { Vaults } from './vault.port.ts'

interface NodeOfSecret extends Target {
  readonly id: string
  readonly path: string
  readonly project_id: string
  readonly archived: boolean
  readonly node_type: string
}

interface NodeToResolveAt extends NodeOfSecret {
  readonly need: Need
}

export interface SecretParts {
  readonly vaults: Vaults
  readonly documents: AreaDocuments
  /** Makes the runner of a step mask a secret before the step receives it. */
  readonly maskFirst: (tx: Tx, stepId: string, secret: string) => Promise<void>
}

const nodePath = Type.String({
  pattern: '^/projects/',
  shouldBe: 'the path of a node, which begins with /projects/',
  maxLength: 1_000,
  description: 'The path of a node.',
})

interface Storing {
  node_path: string
  path: string
  key: string
  value: string
}

const segment = '[^/\\s\\u0000-\\u001f\\u007f]+'

const encrypt = (vaults: Vaults) =>
  command<Storing, NodeOfSecret>({
    name: 'secrets.encrypt',
    summary: 'Stores a secret of a node in the vault and returns its reference, for use in properties.',
    method: 'POST',
    paths: ['/api/secrets/encrypt'],
    status: 201,
    event: 'api:secrets:encrypt',
    eventBody: ['node_path', 'path', 'key'],
    secret: true,
    attributes: Type.Object(
      {
        node_path: nodePath,
        path: Type.String({
          pattern: `^/?${segment}(/${segment})*$`,
          shouldBe:
            'names with a / between them and none at the end, without blanks, of at most 1000 characters in all',
          maxLength: 1_000,
          description: 'Path below the node.',
        }),
        key: Type.String({
          pattern: `^${segment}$`,
          shouldBe: 'a name without / and blanks, of at most 255 characters',
          maxLength: 255,
          description: 'Name in the directory.',
        }),
        value: Type.String({
          minLength: shortestSecret,
          maxLength: 65_536,
          description: 'Secret. Write-only; never recorded.',
        }),
      },
      { additionalProperties: false },
    ),
    answer: document({ reference: Type.String() }),
    find: findNode,
    needs: ({ path }, _, actor) => [needToStore(path, actor)],
    refuse: ({ archived, path }) => (archived ? failure('archived', `${path} is archived.`) : undefined),
    run: async ({ tx, actor }, node, { attributes }) => {
      const place = placeBelow(node.path, attributes)
      const by = { userId: actor.userId, username: actor.username, projectId: node.project_id }
      const id = await vaults.store(tx, { ...place, value: attributes.value }, by)
      return answer(node, id, place, { reference: referenceOf(place) }, 201)
    },
  })

interface Resolving {
  node_path: string
  reference: string
}

const resolve = ({ vaults, documents, maskFirst }: SecretParts) =>
  command<Resolving, NodeToResolveAt>({
    name: 'secrets.resolve',
    summary: 'Returns a stored secret. Each access is recorded.',
    method: 'POST',
    paths: ['/api/secrets/resolve'],
    status: 200,
    event: 'api:secrets:resolve',
    eventBody: ['node_path', 'reference'],
    secret: true,
    attributes: Type.Object(
      { node_path: nodePath, reference: Type.String({ maxLength: 2_000, description: 'secret://…' }) },
      { additionalProperties: false },
    ),
    answer: document({ value: Type.String() }),
    find: async (context, request) => {
      const node = await findNode(context, request)
      // A caller who may not read the node gets none of its documents either.
      if (!node || !context.actor.rights.may('read', node.path)) return node && { ...node, need: noNeed }
      const { tx, actor } = context
      return { ...node, need: await needToResolve(tx, documents, node, request.attributes.reference, actor) }
    },
    needs: ({ need }) => [need],
    run: async ({ tx, actor }, node, { attributes }) => {
      const place = readReference(attributes.reference)
      if (!place) throw notThat('A reference is written secret://<path of a node>/…/<key>.')
      if (!mayUse(node.path, place)) throw notThat(`${node.path} uses its own secrets and those of nodes above it.`)
      const value = (await vaults.read(tx, [place])).get(referenceOf(place))
      if (value === undefined) throw notThat('There is no such secret.')
      if (actor.stepId !== undefined) await maskFirst(tx, actor.stepId, value)
      return answer(node, node.id, place, { value }, 200)
    },
  })

/** Need for a node that is not shown: its 404 comes first. */
const noNeed: Need = { right: 'execute', path: '/secrets' }

/** The node named in the body, of whatever type. */
async function findNode({ tx }: Context, { attributes }: { attributes: { node_path: string } }) {
  if (attributes.node_path === undefined) return undefined
  const node = await findOwner(tx, attributes.node_path)
  return node && { ...node, readPath: node.path }
}

function placeBelow(node: string, { path, key }: Storing): SecretPlace {
  const place = ownPlace(node, path, key)
  if (place) return place
  throw failure('invalid', 'This path is that of another node: store it there.', {
    source: { pointer: '/data/attributes/path' },
  })
}

const notThat = (detail: string) => failure('invalid', detail, { source: { pointer: '/data/attributes/reference' } })

function answer(
  node: NodeOfSecret,
  id: string,
  { path, key }: SecretPlace,
  attributes: object,
  status: 200 | 201,
): Answered {
  const about = { id: node.id, path: node.path, projectId: node.project_id }
  return {
    outcome: 'answered',
    status,
    body: { data: { type: 'secret', id, attributes } },
    event: {
      source: { type: node.node_type, id: node.id },
      node: about,
      attributes: { vault_path: path, vault_key: key },
    },
  }
}

function document(attributes: Record<string, ReturnType<typeof Type.String>>) {
  return Type.Object({
    data: Type.Object({ type: Type.Literal('secret'), id: Type.String(), attributes: Type.Object(attributes) }),
  })
}

export const secretCommands = (parts: SecretParts): AnyCommand[] => [encrypt(parts.vaults), resolve(parts)]
