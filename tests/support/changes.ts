import assert from 'node:assert/strict'
import { isFinal, until } from '../../client/sluice.ts'
import type { Answer, Client } from './api.ts'
import type { TestFile, TestRepository } from './git-repository.ts'
import type { TestService } from './service.ts'

/** A record in the response of a list or a show. */
export interface Shown {
  readonly id: string
  // biome-ignore lint/suspicious/noExplicitAny: tests read records of every type
  readonly attributes: any
  // biome-ignore lint/suspicious/noExplicitAny: the same
  readonly meta: any
}

/** A project `shop` with an environment `live`, a Git remote `code`, a template `web` and an asset of it in `live`. */
export interface Shop {
  readonly repository: TestRepository
  /** The repository's first commit of the test. */
  readonly commit: string
  /** Path below /api. */
  readonly asset: string
}

/**
 * Created through the API.
 *
 * @param files of the repository, where the template's folder is `web`
 */
export async function shop(service: TestService, files: Record<string, TestFile>): Promise<Shop> {
  const admin = service.as('admin')
  const repository = await service.repository(files)
  await created(admin.post('/api/projects', { code: 'shop', name: 'Shop' }))
  await created(admin.post('/api/projects/shop/environments', { code: 'live', name: 'Live' }))
  await created(admin.post('/api/projects/shop/git_remotes', { name: 'code', url: repository.url }))
  const template = { code: 'web', name: 'Web', template_type: 'asset', git_remote_name: 'code' }
  await created(admin.post('/api/projects/shop/templates', template))
  await readyVersion(admin, '/api/projects/shop/templates/web/versions/1.0', 'main')
  const asset = await newAsset(admin, 'front')
  return { repository, commit: repository.git('rev-parse', 'main'), asset }
}

/** A version of a template once its fetch has ended, with any outcome. */
export async function fetchedVersion(client: Client, path: string, gitRev: string): Promise<Shown> {
  const made = await client.put(path, { git_rev: gitRev })
  assert.ok([200, 201].includes(made.status), made.text)
  const answer = await until(
    `${path} is fetched`,
    () => client.get(path),
    ({ body }) => body.data.attributes.state !== 'initializing',
    often,
  )
  return answer.body.data
}

export async function readyVersion(client: Client, path: string, gitRev: string): Promise<Shown> {
  const version = await fetchedVersion(client, path, gitRev)
  assert.equal(version.attributes.state, 'ready', JSON.stringify(version.attributes))
  return version
}

/** Returns its path below /api. */
export async function newAsset(client: Client, code: string, more: object = {}): Promise<string> {
  const attributes = { code, name: code, template_code: 'web', template_version: '1.0', ...more }
  await created(client.post('/api/projects/shop/environments/live/assets', attributes))
  return `/api/projects/shop/environments/live/assets/${code}`
}

export async function created(asked: Promise<Answer>): Promise<Shown> {
  const answer = await asked
  assert.equal(answer.status, 201, answer.text)
  return answer.body.data
}

/** The change once it has ended, with any outcome. */
export const ended = (client: Client, id: string): Promise<Shown> =>
  changeWhen(client, id, 'ends', ({ attributes }) => isFinal(attributes.status_code))

export async function changeWhen(
  client: Client,
  id: string,
  what: string,
  isSo: (change: Shown) => boolean,
): Promise<Shown> {
  return until(
    `change ${id} ${what}`,
    async () => (await client.get(`/api/changes/${id}`)).body.data as Shown,
    isSo,
    often,
  )
}

/** The background task at a path, once it is in one of these states. */
export async function taskWhen(client: Client, path: string, ...states: string[]): Promise<Shown> {
  const answer = await until(
    `${path} is ${states.join(' or ')}`,
    () => client.get(path),
    ({ body }) => states.includes(body.data.attributes.status_code),
    often,
  )
  return answer.body.data
}

/** Creates a change on a node (its path below /api) and returns it once it has ended. */
export async function ran(client: Client, node: string, action: string, more: object = {}): Promise<Shown> {
  const { id } = await created(client.post(`${node}/changes`, { action, ...more }))
  return ended(client, id)
}

export const stepsOf = async (client: Client, changeId: string): Promise<Shown[]> =>
  (await client.get(`/api/changes/${changeId}/steps`)).body.data

/** Each step's full path and status, in tree order. */
export const statuses = async (client: Client, changeId: string): Promise<[string, string][]> =>
  (await stepsOf(client, changeId)).map(({ attributes }) => [attributes.full_path, attributes.status_code])

export async function stepAt(client: Client, changeId: string, fullPath: string): Promise<Shown> {
  const step = (await stepsOf(client, changeId)).find(({ attributes }) => attributes.full_path === fullPath)
  assert.ok(step, `the change has no step ${fullPath}`)
  return step
}

/** Output of scripts, in the log's order; `under` is the path of a change or a step. */
export async function written(client: Client, under: string): Promise<string[]> {
  return (await linesOf(client, under))
    .filter(({ attributes }) => ['stdout', 'stderr'].includes(attributes.category))
    .map(({ attributes }) => attributes.message)
}

export const linesOf = async (client: Client, under: string): Promise<Shown[]> =>
  (await client.get(`${under}/log_lines`)).body.data

/** Types of the events of a change and its steps, oldest first. */
export const eventTypes = async (client: Client, changeId: string): Promise<string[]> =>
  (await eventsOf(client, changeId)).map(({ attributes }) => attributes.type)

export const eventsOf = async (client: Client, changeId: string): Promise<Shown[]> =>
  (await client.get(`/api/events?filter[for_change]=${changeId}&limit=1000`)).body.data

/** Polled frequently: a test waits for nothing else. */
export const often = { seconds: 60, pause: 25 }
