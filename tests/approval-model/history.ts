import { Chance } from '../audit-trail/chance.ts'
import * as changing from './changing.ts'
import * as deeds from './deeds.ts'
import { people, usualPolicies } from './people.ts'
import { Play } from './play.ts'
import type { ApprovalWorld } from './world.ts'

/** Deeds with their weights. */
const shares: readonly (readonly [number, deeds.Deed])[] = [
  [3, changing.savesRules],
  [2, changing.writesProperties],
  [5, deeds.makesChange],
  [2, deeds.beginsRun],
  [5, deeds.retriesChange],
  [14, deeds.decides],
  [4, deeds.bothDecide],
  [4, deeds.isApprovedAndFails],
  [1, deeds.decidesInACancel],
  [5, deeds.works],
  [3, deeds.asksOf],
  [3, changing.joinsOrLeaves],
  [1, changing.vanishesOrReturns],
  [3, changing.isGivenOrTaken],
  [2, changing.isShutOut],
]
const all = shares.flatMap(([count, deed]) => Array.from({ length: count }, () => deed))

/** Does the deeds; after every second one the actor or another user compares the state, in the end everybody. */
export async function happens(world: ApprovalWorld, seed: number, length: number): Promise<void> {
  await world.clear()
  const play = new Play(world, new Chance(seed))
  play.tells(`history ${seed}`)
  try {
    for (const first of [
      changing.savesRules,
      changing.savesRules,
      changing.savesRules,
      changing.writesProperties,
      deeds.makesChange,
    ])
      await first(play)
    await play.agrees('admin')
    for (let at = 0; at < length; at += 1) {
      const eyes = await play.chance.of(all)(play)
      if (eyes) await play.agrees(...(play.chance.is(0.5) ? [play.chance.of([...eyes, play.anyone()])] : []))
    }
    await play.agrees(...people)
  } finally {
    await restore(play)
  }
}

/** Restores the policies. */
async function restore({ judge, world }: Play): Promise<void> {
  for (const { name, policies } of Object.values(judge.people)) {
    const usual = new Set(usualPolicies(name))
    for (const policy of policies) if (!usual.has(policy)) await world.takes(name, policy)
    for (const policy of usual) if (!policies.has(policy)) await world.gives(name, policy)
  }
}
