import assert from 'node:assert/strict'
import type { Answer, Client } from '../support/api.ts'
import { created } from '../support/changes.ts'
import type { Activity } from './activity.ts'
import { type Asset, type Library, sourceOf } from './plan.ts'
import type { RunWorld } from './world.ts'

/** Creates a workflow for each level of the library; returns their codes. */
export async function published(world: RunWorld, library: Library): Promise<string[]> {
  const { admin } = world
  const startTime = await world.inHalfAnHour()
  const codes = library.map((_, level) => `level-${level}-${world.newCode()}`)
  for (const level of library.keys()) {
    const at = library.length - 1 - level
    const code = codes[at]!
    const source_yaml = sourceOf(library[at]!, codes.slice(at), startTime)
    await created(admin.post('/api/projects/shop/workflows', { code, name: code, source_yaml, draft: false }))
  }
  return codes
}

interface Asked {
  readonly where: Asset | undefined
  readonly globs: readonly string[] | undefined
}

const wishes = ({ where, globs }: Asked) => ({
  ...(globs && { skip_steps: globs }),
  ...(where && { property_overrides: { where } }),
})

/** Creates a run of a workflow; returns its id. */
export async function begun({ admin }: RunWorld, code: string, asked: Asked): Promise<string> {
  const attributes = { parent_path: '/projects/shop', workflow_code: code, ...wishes(asked) }
  return (await created(admin.post('/api/workflow_runs', attributes))).id
}

/** Creates a retry of a run; returns its id. */
export async function retried({ admin }: RunWorld, run: string, asked: Asked): Promise<string> {
  const relationships = { workflow_run: { data: { type: 'workflow_run', id: run } } }
  const raw = JSON.stringify({ data: { attributes: { retry: true, ...wishes(asked) }, relationships } })
  return (await created(admin.send('POST', '/api/workflow_runs', { raw }))).id
}

/** Whether a request is accepted. A refused request has no effect. */
export const may: Record<'pause' | 'resume' | 'cancel', (activity: Activity) => boolean> = {
  pause: ({ isOver, isStopped, isPaused }) => !isOver && !isStopped && !isPaused,
  resume: ({ isOver, isCancelled, isPaused }) => !isOver && !isCancelled && isPaused,
  cancel: ({ isOver, isCancelled }) => !isOver && !isCancelled,
}

export const asks: Record<'pause' | 'resume' | 'cancel', (client: Client, path: string) => Promise<Answer>> = {
  pause: (client, path) => client.post(`${path}/pause`, {}),
  resume: (client, path) => client.post(`${path}/resume`, {}),
  cancel: (client, path) => client.delete(path),
}

export async function done(asked: Promise<Answer>): Promise<void> {
  const { status, text } = await asked
  assert.ok([200, 204].includes(status), text)
}
