import assert from 'node:assert/strict'
import type { JsonObject } from '../../src/platform/documents/document.ts'
import type { Answer } from '../support/api.ts'
import { marked, pickedSettings } from './documents.ts'
import type { Deed } from './history.ts'
import { isObject } from './merged.ts'
import { levelOf, newest } from './oracle.ts'
import { done, type Kind, picked, type World } from './world.ts'

/** Writes documents of owners, as a person would. */

type Writes = Extract<Deed, { what: 'properties' | 'merges' | 'settings' }>

/** Owner and content of a deed's document: in settings a null removes the key. */
export function toBeStated(world: World, deed: Writes): { owner: string; data: JsonObject } {
  const owner = picked(Object.keys(world.state[deed.what === 'settings' ? 'settings' : 'properties']), deed.owner)
  if (deed.what !== 'settings') return { owner, data: marked(deed.document, `${owner}-${world.count}`) }
  const given = pickedSettings(levelOf(owner), deed.picks)
  return { owner, data: deed.replaces ? withoutNulls(given) : given }
}

export async function states(world: World, deed: Writes): Promise<string> {
  const { owner, data } = toBeStated(world, deed)
  const kind = deed.what === 'settings' ? 'settings' : 'properties'
  const record = await world.recordOf(owner, kind)
  const before = newest(world.state[kind][owner])
  if (deed.what === 'properties') return wrote(world, owner, kind, world.admin.patch(record, { data }), data)
  if (deed.what === 'settings' && deed.replaces)
    return wrote(world, owner, kind, world.admin.put(record, { data }), data)
  if (deed.what === 'settings')
    return wrote(world, owner, kind, world.admin.patch(record, { data }), withoutNulls({ ...before, ...data }))
  const answer = world.admin.send('PATCH', record, {
    raw: JSON.stringify(data),
    headers: { 'content-type': 'application/merge-patch+json' },
  })
  return wrote(world, owner, kind, answer, mergePatched(before, data))
}

/** Restores an older version, or rewrites the current one, with hidden values in it. */
export async function again(world: World, deed: Extract<Deed, { what: 'restores' | 'repeats' }>): Promise<string> {
  const kind = deed.settings ? 'settings' : 'properties'
  const owner = picked(Object.keys(world.state[kind]), deed.owner)
  const record = await world.recordOf(owner, kind)
  const versions = world.state[kind][owner]!
  if (deed.what === 'restores') {
    const first = owner === 'global' ? world.globalVersion : 1
    const version = first + (deed.version % (versions.length - first + 1))
    const answer = world.admin.post(`${record}/versions/${version}/restore`)
    return wrote(world, owner, kind, answer, versions[version - 1]!)
  }
  const { data } = (await done(world.admin.get(record))).body.data.attributes
  const answer = deed.settings ? world.admin.put(record, { data }) : world.admin.patch(record, { data })
  return wrote(world, owner, kind, answer, versions.at(-1)!)
}

/** An unchanged write creates no version; an archived node refuses writes. */
async function wrote(
  world: World,
  owner: string,
  kind: Kind,
  asked: Promise<Answer>,
  data: JsonObject,
): Promise<string> {
  const answer = await asked
  const what = `${kind} of ${owner}: ${JSON.stringify(data)}`
  if (world.isArchived(owner)) {
    assert.equal(answer.status, 409, `${what}: ${answer.text}`)
    return `${what}, refused`
  }
  assert.equal(answer.status, 200, `${what}: ${answer.text}`)
  const versions = world.state[kind][owner]!
  const isSame = JSON.stringify(versions.at(-1)) === JSON.stringify(data)
  const next = isSame ? versions : [...versions, data]
  world.note({ [kind]: { [owner]: next } })
  assert.equal(answer.body.data.attributes.version, next.length, what)
  return what
}

const withoutNulls = (document: object): JsonObject =>
  Object.fromEntries(Object.entries(document).filter(([, value]) => value !== null))

/** RFC 7396. */
function mergePatched(target: JsonObject, patch: JsonObject): JsonObject {
  const result = new Map(Object.entries(target))
  for (const [name, value] of Object.entries(patch)) {
    const there = result.get(name)
    if (value === null) result.delete(name)
    else result.set(name, isObject(value) ? mergePatched(isObject(there) ? there : {}, value) : value)
  }
  return Object.fromEntries(result)
}
