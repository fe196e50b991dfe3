import { isDeepStrictEqual } from 'node:util'
import { may } from './may.ts'
import { anyNode } from './node-views.ts'
import { answered, attribute, type Body, type Cause, condition, type Drawing, type Question } from './predicted.ts'
import type { Document } from './world.ts'

/** A document of a node, with the rights to read and change it. */
function anyDocument({ world, chance, by }: Drawing, kind = chance.of(['properties', 'settings'] as const)) {
  const node = anyNode({ world, chance, by })
  const area = `${node.path}/${kind}`
  const document = node[kind]
  return {
    node,
    document,
    path: `/${kind}/${document.id}`,
    missing: !may(world, by, 'read', area),
    forbidden: () => !may(world, by, 'update', area),
    archived: (): Cause[] => (node.archived ? [{ code: 'archived' }] : []),
  }
}

const shown =
  ({ id, versions }: Document) =>
  ({ data }: Body) =>
    [
      [data.id, id],
      [data.attributes.version, versions.length],
      [data.attributes.data, versions.at(-1)],
    ] as const

/** A write without a change creates no version. */
function write({ versions }: Document, data: object): void {
  if (!isDeepStrictEqual(versions.at(-1), data)) versions.push(data)
}

export function showDocument(drawing: Drawing): Question {
  const { document, path, missing } = anyDocument(drawing)
  const predicted = answered({ missing }, { status: 200, shows: body => shown(document)(body) })
  return { method: 'GET', path, by: drawing.by, predicted }
}

export function listVersions(drawing: Drawing): Question {
  const { document, path, missing } = anyDocument(drawing)
  const predicted = answered(
    { missing },
    {
      status: 200,
      shows: ({ data }) => [
        [data.map((each: Body) => each.attributes.data), document.versions.toReversed()],
        [data.map((each: Body) => each.attributes.version), document.versions.map((_, at) => at + 1).toReversed()],
      ],
    },
  )
  return { method: 'GET', path: `${path}/versions?limit=1000`, by: drawing.by, predicted }
}

const inPatches = [
  [{ repo_folder: 'one' }],
  [{ repo_folder: 'two' }],
  [{ repo_folder: null }],
  [{}],
  [{ no_such: 1 }, '/no_such'],
  [{ repo_folder: 5 }, '/repo_folder'],
  [{ maintenance_mode: 'enabled' }, '/maintenance_mode'],
  [5],
] as const

export function patchSettings(drawing: Drawing): Question {
  const { node, document, path, missing, forbidden, archived } = anyDocument(drawing, 'settings')
  const { chance, by } = drawing
  const [data, wrong] = chance.of(inPatches)
  const method = chance.of(['PATCH', 'PATCH', 'PUT'] as const)
  // Only a PATCH removes a key, and an agent has none of these.
  const given = Object.values(data)
  const isMisplaced = node.path.includes('/agents/') && given.some(each => typeof each === 'string')
  const isRefused = isMisplaced || (method === 'PUT' && given.includes(null))
  const refused = wrong ?? (isRefused ? '/repo_folder' : undefined)
  const { stale, headers } = condition(chance)
  const asked = versionOf(drawing, document)
  const merged = { ...(method === 'PATCH' && document.versions.at(-1)), ...(data as object) }
  const stands = Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== null))
  const predicted = answered(
    {
      missing,
      forbidden,
      stale,
      conflicts: archived,
      inTheWay: () => asked.conflicts,
      invalid: () => [...(data === 5 ? [{ code: 'invalid', at: attribute('data') }] : []), ...asked.invalid],
      impossible: () => (refused ? [{ code: 'invalid', at: `${attribute('data')}${refused}` }] : []),
    },
    { status: 200, effect: () => write(document, stands), shows: body => shown(document)(body) },
  )
  return { method, path, by, attributes: { data, ...asked.attributes }, ...(headers && { headers }), predicted }
}

/** The version that a writer believes to be the newest. */
function versionOf({ chance }: Drawing, { versions }: Document) {
  const version = chance.of([undefined, undefined, undefined, versions.length, 1, 0])
  return {
    attributes: version === undefined ? {} : { version },
    conflicts: version && version !== versions.length ? [{ code: 'stale-version' }] : [],
    invalid: version === 0 ? [{ code: 'invalid', at: attribute('version') }] : [],
  }
}

const documents = [[{ release: 'a' }], [{ release: 'b' }], [{}], [{ a: { b: [1] } }], [5, 'invalid']] as const

export function patchProperties(drawing: Drawing): Question {
  const { document, path, missing, forbidden, archived } = anyDocument(drawing, 'properties')
  const { chance, by } = drawing
  const [data, wrong] = chance.of(documents)
  const { stale, headers } = condition(chance)
  const asked = versionOf(drawing, document)
  const predicted = answered(
    {
      missing,
      forbidden,
      stale,
      conflicts: archived,
      inTheWay: () => asked.conflicts,
      invalid: () => [...(wrong ? [{ code: wrong, at: attribute('data') }] : []), ...asked.invalid],
    },
    { status: 200, effect: () => write(document, data as object), shows: body => shown(document)(body) },
  )
  return {
    method: 'PATCH',
    path,
    by,
    attributes: { data, ...asked.attributes },
    ...(headers && { headers }),
    predicted,
  }
}

export function restoreVersion(drawing: Drawing): Question {
  const { document, path, missing, forbidden, archived } = anyDocument(drawing)
  const number = drawing.chance.of([1, 2, document.versions.length])
  const version = document.versions[number - 1]
  const { stale, headers } = condition(drawing.chance)
  const predicted = answered(
    { missing: missing || version === undefined, forbidden, stale, conflicts: archived },
    { status: 200, effect: () => write(document, version!), shows: body => shown(document)(body) },
  )
  const asked = `${path}/versions/${number}/restore`
  return { method: 'POST', path: asked, by: drawing.by, ...(headers && { headers }), predicted }
}
