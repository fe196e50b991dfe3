import assert from 'node:assert/strict'
import { sql } from '../../src/platform/db/sql.ts'
import type { JsonObject } from '../../src/platform/documents/document.ts'
import type { TestService } from '../support/service.ts'
import { Asking } from './asking.ts'
import { begin } from './beginning.ts'
import { withPredictedImpact } from './compare-impact.ts'
import { does } from './deeds.ts'
import { isExplained } from './explained.ts'
import type { Deed, History } from './history.ts'
import { isInForce, pathOf } from './judge.ts'
import type { Moment } from './moment.ts'
import { convergesNot, newest, propertiesOf } from './oracle.ts'
import { tellsThePast } from './past.ts'
import { toBeStated } from './stating.ts'
import { World } from './world.ts'

/**
 * Does the deeds one by one, checks the values in force after each, and at the end those of every earlier moment.
 *
 * @param overrides settings stated by the environment of the service, by name
 */
export async function live(service: TestService, { files, deeds }: History, overrides: JsonObject): Promise<void> {
  const repository = await service.repository({})
  const world = new World(service, repository, `p${repository.folder.slice(-6)}`, overrides)
  const [asking, operator] = [new Asking(world.admin), new Asking(service.as('operator'))]
  const moments: Moment[] = []
  const remember = async (after: string) => {
    const { at } = (await service.database.one(sql<{ at: string }>`select sluice_now() as at`))!
    moments.push({ at, after, state: world.state })
  }
  try {
    await begin(world, files)
    await remember('it is made')
    for (const deed of [{ what: 'makes', node: 1 } as const, ...deeds]) {
      world.count += 1
      const told = await doesAsPredicted(world, deed)
      if (told === undefined) continue
      await remember(told)
      for (const node of Object.keys(world.state.nodes)) await isInForce(asking, node, world.state, world.known)
      await seesItsOwnAlone(operator, world)
    }
    for (const node of Object.keys(world.state.nodes)) await isExplained(asking, node, world.state, world.known)
    await tellsThePast(world, asking, moments)
  } catch (error) {
    const told = moments.map(({ at, after }) => `${at} ${after}`).join('\n')
    throw new Error(`${world.known.project}:\n${told}\n${(error as Error).message}`, { cause: error })
  }
}

/** Does a deed; if it writes a whole document, its impact is requested before. */
function doesAsPredicted(world: World, deed: Deed): Promise<string | undefined> {
  if (deed.what !== 'properties' && !(deed.what === 'settings' && deed.replaces)) return does(world, deed)
  const written = toBeStated(world, deed)
  // Settings of the installation affect every other project.
  if (written.owner === 'global') return does(world, deed)
  return withPredictedImpact(world, deed.what, written, () => does(world, deed))
}

/** A reader of one asset alone sees its values in force, and no text that only other documents contain. */
async function seesItsOwnAlone(operator: Asking, { state, known }: World): Promise<void> {
  if (!state.nodes['a'] || convergesNot('a', state, known)) return
  const { body, text } = await operator.get(`/api${pathOf('a', known)}/converged_properties`)
  const { data } = propertiesOf('a', state, known)
  assert.equal(JSON.stringify(body.data.attributes.data), JSON.stringify(data))
  const theirs = JSON.stringify([data, newest(state.properties['a']), known.files])
  for (const [mark] of text.matchAll(/"[\w ]+-\d+\.\d+"/g)) assert.ok(theirs.includes(mark), `${mark} is not theirs`)
  const owners = body.included.flatMap(({ attributes }: { attributes: { owner_type?: string } }) =>
    attributes.owner_type === undefined ? [] : [attributes.owner_type],
  )
  assert.deepEqual(owners, ['Asset'])
}
