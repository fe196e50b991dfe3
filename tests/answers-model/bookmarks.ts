import { may } from './may.ts'
import { anyNode, list } from './node-views.ts'
import { answered, type Body, condition, type Drawing, drawn, type Question, surprise, times } from './predicted.ts'
import { type Bookmark, removeFrom, type World } from './world.ts'

const described = [...times(6, ['Look here'] as const), ['Handbook'], [5, 'invalid']] as const
const urls = [[undefined], ['https://a.test/x'], ['mailto:a@b.test'], [null], ['ftp://a.test', 'invalid']] as const

export function createBookmark({ world, chance, by }: Drawing): Question {
  const node = anyNode({ world, chance, by })
  const { attributes, malformed, invalid } = drawn(chance, {
    description: [...described, [undefined, 'required']],
    url: urls,
    surprise,
  })
  const { description, url } = attributes as Partial<Bookmark>
  const predicted = answered(
    {
      malformed,
      missing: !may(world, by, 'read', node.path),
      conflicts: () => (node.archived ? [{ code: 'archived' }] : []),
      invalid: () => invalid,
    },
    {
      status: 201,
      effect: ({ data }: Body) => {
        world.bookmarks.push({ id: data.id, node, createdBy: by, description: String(description), url: url ?? null })
      },
      shows: body => shown(world.bookmarks.at(-1)!)(body),
    },
  )
  return { method: 'POST', path: `${node.path}/bookmarks`, by, attributes, predicted }
}

const shown =
  (bookmark: Bookmark) =>
  ({ data: { id, attributes, relationships } }: Body) =>
    [
      [id, bookmark.id],
      [attributes.description, bookmark.description],
      [attributes.url, bookmark.url],
      [attributes.created_by, bookmark.createdBy],
      [relationships.parent.data.id, bookmark.node.id],
    ] as const

/** A bookmark, usually addressed through its own node; through another node it does not exist. */
function anyBookmark({ world, chance, by }: Drawing) {
  const bookmark = chance.of(world.bookmarks)
  const node = chance.is(0.9) ? bookmark.node : chance.of(world.nodes)
  const missing = node !== bookmark.node || !may(world, by, 'read', node.path)
  return { bookmark, path: `${node.path}/bookmarks/${bookmark.id}`, missing }
}

/** Whether the user may change it: its creator may, and everyone who may update its node. */
const changes = (world: World, by: string, { createdBy, node }: Bookmark) =>
  createdBy === by || may(world, by, 'update', node.path)

export function patchBookmark(drawing: Drawing): Question {
  const { world, chance, by } = drawing
  const { bookmark, path, missing } = anyBookmark(drawing)
  const { attributes, malformed, invalid } = drawn(chance, {
    description: [...described, [undefined], [null, 'invalid']],
    url: urls,
    created_by: [...times(20, [undefined] as const), ['me', 'unknown-attribute']],
  })
  const { stale, headers } = condition(chance)
  const predicted = answered(
    {
      malformed,
      missing,
      forbidden: () => !changes(world, by, bookmark),
      stale,
      conflicts: () => (bookmark.node.archived ? [{ code: 'archived' }] : []),
      invalid: () => invalid,
    },
    { status: 200, effect: () => void Object.assign(bookmark, attributes), shows: body => shown(bookmark)(body) },
  )
  return { method: 'PATCH', path, by, attributes, ...(headers && { headers }), predicted }
}

export function deleteBookmark(drawing: Drawing): Question {
  const { world, chance, by } = drawing
  const { bookmark, path, missing } = anyBookmark(drawing)
  const { stale, headers } = condition(chance)
  const predicted = answered(
    { missing, forbidden: () => !changes(world, by, bookmark), stale },
    { status: 204, effect: () => removeFrom(world.bookmarks, each => each === bookmark) },
  )
  return { method: 'DELETE', path, by, ...(headers && { headers }), predicted }
}

export function showBookmark(drawing: Drawing): Question {
  const { bookmark, path, missing } = anyBookmark(drawing)
  const predicted = answered({ missing }, { status: 200, shows: body => shown(bookmark)(body) })
  return { method: 'GET', path, by: drawing.by, predicted }
}

export function listBookmarks({ world, chance, by }: Drawing): Question {
  const node = chance.is(0.3) ? null : anyNode({ world, chance, by })
  const listed = world.bookmarks.filter(
    bookmark => (node === null || bookmark.node === node) && may(world, by, 'read', bookmark.node.path),
  )
  const path = `${node?.path ?? ''}/bookmarks`
  const missing = node !== null && !may(world, by, 'read', node.path)
  const owner = node ? path : '/'
  return {
    method: 'GET',
    path: `${path}?limit=1000`,
    by,
    predicted: answered({ missing }, list(world, by, owner, listed)),
  }
}
