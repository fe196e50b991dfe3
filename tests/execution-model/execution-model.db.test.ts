import { after, test } from 'node:test'
import fc from 'fast-check'
import { engineWorld } from '../support/engine-world.ts'
import { histories } from './history.ts'
import { play } from './play.ts'

const world = await engineWorld()
after(() => world.end())

/** Options for developers of the engine: thousands of histories, with another seed. */
const numRuns = Number(process.env['SLUICE_HISTORIES'] ?? 60)
const seed = Number(process.env['SLUICE_SEED'] ?? 7)

test('whatever happens to a change and its retries, their steps and they are what the specification makes of them', () =>
  fc.assert(
    fc.asyncProperty(histories, async history => {
      await world.clear()
      await play(world, history)
    }),
    { numRuns, seed },
  ))
