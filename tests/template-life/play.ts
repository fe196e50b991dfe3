import assert from 'node:assert/strict'
import type { TemplateWorld } from '../support/template-world.ts'
import { found, predicted } from './compared.ts'
import { does, type Sides, templates } from './deeds.ts'
import type { Deed } from './history.ts'
import type { State } from './state.ts'
import { Project } from './world.ts'

/** Plays the history in the service and in the model, and compares both after each deed. */
export async function play(world: TemplateWorld, deeds: readonly Deed[]): Promise<void> {
  const project = await Project.begin(world)
  const sides: Sides = { project, state: nothing() }
  const told: string[] = []
  try {
    for (const deed of [...beginning, ...deeds]) await doAndCompare(sides, deed, told)
    await settle(sides, told)
  } catch (error) {
    if (error instanceof Error) error.message = `${told.join('\n')}\n${error.message}`
    throw error
  } finally {
    await project.end()
  }
}

async function doAndCompare(sides: Sides, deed: Deed, told: string[]): Promise<void> {
  const done = await does(sides, deed)
  if (done === undefined) return
  told.push(done)
  if (ofRepository.has(deed.what)) return
  assert.deepEqual(await found(sides), predicted(sides.state))
  sides.state.told = []
}

/** The service notices these with its next action. */
const ofRepository: ReadonlySet<Deed['what']> = new Set(['commits', 'sets ref', 'drops ref', 'goes away or comes back'])

/** Templates, a version and an asset of it. */
const beginning: readonly Deed[] = [
  { what: 'commits', branch: 0, content: 'plain', rewrites: true },
  ...[...templates.keys()].map(template => ({ what: 'makes or drops template', template }) as const),
  { what: 'puts', version: 0, attributes: { rev: { name: 0 } }, fetches: false, ignores: false },
  { what: 'works' },
  { what: 'makes', asset: 0, version: 0 },
]

/** Removes all obstacles and lets everything end. */
async function settle(sides: Sides, told: string[]): Promise<void> {
  if (sides.state.maintenance) await doAndCompare(sides, { what: 'switches maintenance' }, told)
  const round: readonly Deed[] = [{ what: 'works' }, { what: 'admits' }, { what: 'runner ends', task: 0, well: true }]
  for (let rounds = 0; rounds < 30 && isBusy(sides.state); rounds++)
    for (const deed of round) await doAndCompare(sides, deed, told)
  assert.ok(!isBusy(sides.state), 'something never ends')
}

const isBusy = ({ versions, tasks, ended }: State): boolean =>
  ended.length > 0 ||
  [...versions.values()].some(({ request }) => request) ||
  tasks.some(({ status }) => status === 'initializing' || status === 'running')

const nothing = (): State => ({
  commits: [],
  refs: new Map(),
  away: false,
  remote: { archived: false, failing: false, fetches: 'changed' },
  fetched: new Set(),
  mirror: new Map(),
  templates: new Map(),
  versions: new Map(),
  assets: new Map(),
  tasks: [],
  maintenance: false,
  derived: new Map(),
  derivedForAssets: new Set(),
  ended: [],
  told: [],
})
