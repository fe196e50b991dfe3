import assert from 'node:assert/strict'
import { chmodSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type Change, type Resource, type Sluice, until } from '../../client/sluice.ts'
import { deliveryRepository } from './delivery-repository.ts'
import { processesNaming, type RunningProcess } from './process-table.ts'

/** A project `post` with a parcel in the environment `live`, created through the API. */
export interface Post {
  /** Path below /api. */
  asset: string
  commit: string
  /** Folder in which the action `travel` reports its progress, and waits for files. */
  gates: string
}

export async function loadPost(sluice: Sluice, folder: string): Promise<Post> {
  const gates = join(folder, 'gates')
  mkdirSync(gates)
  chmodSync(gates, 0o777)
  mkdirSync(join(folder, 'repository'))
  const { url, commit } = deliveryRepository(join(folder, 'repository'))

  await sluice.create('/api/projects', { code: 'post', name: 'Post' })
  await sluice.create('/api/projects/post/environments', { code: 'live', name: 'Live' })
  await sluice.create('/api/projects/post/git_remotes', { name: 'deliveries', url })
  const template = { code: 'parcel', name: 'Parcel', template_type: 'asset', git_remote_name: 'deliveries' }
  await sluice.create('/api/projects/post/templates', template)
  const version = '/api/projects/post/templates/parcel/versions/1.0'
  await sluice.put(version, { git_rev: 'main' })
  const fetched = await until(
    'the template version is fetched',
    () => sluice.show<{ state: string; commit_sha: string; initialization_error: string | null }>(version),
    ({ attributes }) => attributes.state !== 'initializing',
  )
  assert.deepEqual(
    [fetched.attributes.state, fetched.attributes.initialization_error, fetched.attributes.commit_sha],
    ['ready', null, commit],
  )
  const parcel = { code: 'parcel-1', name: 'A parcel', template_code: 'parcel', template_version: '1.0' }
  await sluice.create('/api/projects/post/environments/live/assets', parcel)

  const project = await sluice.show('/api/projects/post')
  await sluice.update(String(project.relationships?.['properties']?.links?.related), { data: { gates } })
  return { asset: '/api/projects/post/environments/live/assets/parcel-1', commit, gates }
}

export const runAction = ({ asset }: Post, sluice: Sluice, action: string): Promise<Resource<Change>> =>
  sluice.create<Change>(`${asset}/changes`, { action })

/**
 * Processes of the actions `travel` and `wander`, found by a variable that nothing else has; inside or outside of a
 * sandbox.
 */
export const processesOfActions = ({ gates }: Post): RunningProcess[] =>
  processesNaming(`GATES=${gates}`).filter(({ command }) => command !== '')

interface StepState {
  full_path: string
  status_code: string
  exit_code: number | null
  error_message: string | null
  attempt: number
}

export const stepsOf = async (sluice: Sluice, changeId: string): Promise<Resource<StepState>[]> =>
  sluice.list<StepState>(`/api/changes/${changeId}/steps`)

/** Output of the scripts themselves, in the log's order: `under` is a change's or a step's path. */
export async function written(sluice: Sluice, under: string): Promise<string[]> {
  const lines = await sluice.list<{ message: string; category: string }>(`${under}/log_lines`)
  return lines
    .filter(({ attributes }) => ['stdout', 'stderr'].includes(attributes.category))
    .map(({ attributes }) => attributes.message)
}
