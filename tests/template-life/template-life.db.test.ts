import { after, test } from 'node:test'
import fc from 'fast-check'
import { histories } from './history.ts'
import { play } from './play.ts'
import { openWorld } from './world.ts'

const world = await openWorld()
after(() => world.stop())

/** Options for developers of templates: hundreds of histories, with another seed. */
const numRuns = Number(process.env['SLUICE_HISTORIES'] ?? 2)
const seed = Number(process.env['SLUICE_SEED'] ?? 7)

test('whatever becomes of a repository, versions of templates and assets are where the specification has them', () =>
  fc.assert(
    fc.asyncProperty(histories, deeds => play(world, deeds)),
    // Shrinking a history takes minutes; it is reported as it is.
    { numRuns, seed, endOnFailure: process.env['SLUICE_SMALLER'] === undefined },
  ))
