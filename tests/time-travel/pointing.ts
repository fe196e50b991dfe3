import assert from 'node:assert/strict'
import { until } from '../../client/sluice.ts'
import { often } from '../support/changes.ts'
import { commitOf, type PropertyFiles } from './repository.ts'
import { done, type World } from './world.ts'

/** Deeds on versions of templates and their commits. */

export function commit(world: World, files: PropertyFiles): void {
  const { texts, documents } = commitOf(files, world.known.project, `commit-${world.shas.length}`)
  const sha = world.repository.commit(texts)
  world.shas.push(sha)
  world.known.files[sha] = documents
}

/** @param attributes with a `git_rev`: `main`, or a commit's id */
export async function addVersion(
  world: World,
  version: string,
  attributes: { readonly git_rev: string; readonly float_git_rev?: boolean },
): Promise<string> {
  world.noteOwner(version)
  return point(world, version, { attributes }, attributes.git_rev === 'main' ? world.shas.at(-1)! : attributes.git_rev)
}

/** A name that no version of the template has now; a deleted one may have had it. */
export function newVersion(world: World): string {
  const taken = world.versionsOf('web')
  const number = taken.findIndex((_, index) => !taken.includes(`web ${index + 1}`))
  return `web ${(number < 0 ? taken.length : number) + 1}`
}

/** Only a version that no node ever had is deleted. */
export async function dropVersion(world: World, version: string | undefined): Promise<string | undefined> {
  if (!version) return undefined
  const { status, text } = await world.admin.delete(world.pathOf(version))
  const isUsed = Object.values(world.state.had).some(had => had.includes(version))
  assert.equal(status, isUsed ? 409 : 204, text)
  if (!isUsed) world.forget(version)
  return `${version} is ${isUsed ? 'in use' : 'deleted'}`
}

/** Returns when the version has moved there. */
export async function point(world: World, version: string, data: object, sha: string): Promise<string> {
  const path = world.pathOf(version)
  await done(
    world.admin.send('PUT', path, {
      raw: JSON.stringify({ data: { attributes: {}, ...data } }),
      headers: { 'content-type': 'application/json' },
    }),
  )
  await until(
    `${version} is at ${sha}`,
    () => world.admin.get(path),
    ({ body }) => {
      const { state, commit_sha, initialization_error, float_refresh_error } = body.data.attributes
      assert.deepEqual([state === 'broken', initialization_error, float_refresh_error], [false, null, null])
      return state === 'ready' && commit_sha === sha && body.data.relationships.pending_commit.data === null
    },
    often,
  )
  world.note({ commits: { [version]: sha } })
  return `${version} is at ${sha}`
}
