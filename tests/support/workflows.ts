import assert from 'node:assert/strict'
import { isFinal, until } from '../../client/sluice.ts'
import type { Client } from './api.ts'
import { created, often, type Shown } from './changes.ts'

/** A workflow of the project `shop` with one published version. */
export async function published(client: Client, code: string, source_yaml: string): Promise<void> {
  const workflows = '/api/projects/shop/workflows'
  await created(client.post(workflows, { code, name: code, source_yaml }))
  const answer = await client.post(`${workflows}/${code}/versions/1/publish`)
  assert.equal(answer.status, 200, answer.text)
}

/** Begins a run of a workflow of `shop`; returns its id. */
export const began = async (client: Client, code: string, more: object = {}): Promise<string> =>
  (await created(client.post('/api/workflow_runs', { parent_path: '/projects/shop', workflow_code: code, ...more }))).id

export const runWhen = async (
  client: Client,
  id: string,
  what: string,
  isSo: (run: Shown) => boolean,
): Promise<Shown> =>
  until(`run ${id} ${what}`, async () => (await client.get(`/api/workflow_runs/${id}`)).body.data as Shown, isSo, often)

/** The run once it has ended, with any outcome. */
export const runEnded = (client: Client, id: string): Promise<Shown> =>
  runWhen(client, id, 'ends', ({ attributes }) => isFinal(attributes.status_code))

// biome-ignore lint/suspicious/noExplicitAny: tests read records of every type
export const stepsOfRun = async (client: Client, id: string): Promise<any[]> =>
  (await client.get(`/api/workflow_runs/${id}/steps`)).body.data

/** Each step's path below the root, and its status, in the order of the tree. */
export const runStatuses = async (client: Client, id: string): Promise<[string, string][]> =>
  (await stepsOfRun(client, id))
    .slice(1)
    .map(({ attributes }) => [
      attributes.full_path.slice(attributes.full_path.indexOf('/') + 1),
      attributes.status_code,
    ])

/** A step of a run once it is in a state. */
export const runStepWhen = async (client: Client, id: string, name: string, status: string): Promise<Shown> =>
  until(
    `step ${name} of run ${id} is ${status}`,
    async () => (await stepsOfRun(client, id)).find(({ attributes }) => attributes.name === name) as Shown,
    step => step?.attributes.status_code === status,
    often,
  )

/** The change that a step created. */
export const changeOfStep = async (client: Client, id: string, name: string): Promise<string> => {
  const step = await until(
    `step ${name} of run ${id} has made a change`,
    async () => (await stepsOfRun(client, id)).find(({ attributes }) => attributes.name === name),
    found => found?.relationships.changes.data.length > 0,
    often,
  )
  return step.relationships.changes.data[0].id
}
