import { after, test } from 'node:test'
import { play } from './play.ts'
import { LiveWorld } from './world.ts'

/** Options for developers of live streams: hundreds of histories, with another seed. */
const histories = Number(process.env['SLUICE_HISTORIES'] ?? 2)
const seed = Number(process.env['SLUICE_SEED'] ?? 7)

const world = await LiveWorld.open()
after(() => world.stop())

test('whatever happens, all who listen are told each line and event once, the same as lists tell, and nothing that is not theirs to read', async () => {
  for (let at = 0; at < histories; at += 1) await play(world, seed + at)
})
