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
import { deleteBookmark, findBookmark, insertBookmark, updateBookmark } from './bookmark.store.ts'
import { findNode, lockUnarchived } from './node.store.ts'
import { eventNode, type Node, nameSchema, nodePaths, refuseArchived } from './node.ts'

interface Attributes {
  readonly description?: string
  readonly url?: string | null
}

interface Bookmark extends Target {
  readonly id: string
  readonly description: string
  readonly url: string | null
  readonly mine: boolean
  readonly node: Node
}

const description = nameSchema('Message text.')
const urlForm = 'a http://, https:// or mailto: address of at most 2048 characters'
const url = Type.Union(
  [Type.String({ pattern: '^(?:https?://|mailto:)[^\\s]+$', maxLength: 2_048, shouldBe: urlForm }), Type.Null()],
  {
    description: 'Target of the link: http, https or mailto.',
  },
)

const lists = nodePaths.map(path => `/api${path}/bookmarks`)
const ones = nodePaths.map(path => `/api${path}/bookmarks/:id`)

/**
 * Rights to change a bookmark: anyone who may read a node may create a bookmark there; its creator, or anyone who may
 * update the node, changes it.
 */
const toChange = ({ node, mine }: Bookmark) => [{ right: mine ? 'read' : 'update', path: node.path } as const]

const create = command<Attributes, Target & { node: Node }>({
  name: 'bookmarks.create',
  summary: 'Creates a bookmark on a node.',
  method: 'POST',
  paths: lists,
  status: 201,
  event: 'api:bookmarks:create',
  eventBody: ['description', 'url'],
  attributes: Type.Object({ description, url: Type.Optional(url) }, { additionalProperties: false }),
  answers: 'bookmark',
  find: async ({ tx }, { params }) => {
    const node = await findNode(tx, params)
    return node && { node, readPath: node.path }
  },
  needs: ({ node }) => [{ right: 'read', path: node.path }],
  refuse: refuseArchived,
  run: async ({ tx, actor }, { node }, { attributes }) => {
    await lockUnarchived(tx, node)
    const id = await insertBookmark(
      tx,
      node,
      { description: attributes.description!, url: attributes.url ?? null },
      actor,
    )
    return done({ id, event: about(id, node) })
  },
})

const update = command<Attributes, Bookmark>({
  name: 'bookmarks.update',
  summary: 'Updates a bookmark.',
  method: 'PATCH',
  paths: ones,
  status: 200,
  event: 'api:bookmarks:update',
  eventBody: ['description', 'url'],
  attributes: Type.Object(
    { description: Type.Optional(description), url: Type.Optional(url) },
    { additionalProperties: false },
  ),
  answers: 'bookmark',
  find,
  needs: toChange,
  refuse: refuseArchived,
  run: async ({ tx }, bookmark, { attributes }) => {
    await lockUnarchived(tx, bookmark.node)
    const wanted = { description: bookmark.description, url: bookmark.url, ...attributes }
    const changed = await updateBookmark(tx, bookmark.id, wanted)
    return changed ? done({ id: bookmark.id, event: about(bookmark.id, bookmark.node) }) : unchanged(bookmark.id)
  },
})

const destroy = command<never, Bookmark>({
  name: 'bookmarks.delete',
  summary: 'Deletes a bookmark.',
  method: 'DELETE',
  paths: ones,
  status: 204,
  event: 'api:bookmarks:destroy',
  eventBody: [],
  find,
  needs: toChange,
  run: async ({ tx }, { id, node }) => {
    await deleteBookmark(tx, id)
    return done({ event: about(id, node) })
  },
})

async function find({ tx, actor }: Context, { params }: Request<unknown>): Promise<Bookmark | undefined> {
  const node = await findNode(tx, params)
  if (!node) return undefined
  const row = await findBookmark(tx, node, params['id'] ?? '', actor)
  return row && { ...row, node, readPath: node.path }
}

const about = (id: string, node: Node) => ({ source: { type: 'bookmark', id }, node: eventNode(node) })

export const bookmarkCommands: readonly AnyCommand[] = [create, update, destroy]
