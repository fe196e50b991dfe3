import { after, test } from 'node:test'
import fc from 'fast-check'
import { histories } from './history.ts'
import { play } from './play.ts'
import { RunWorld } from './world.ts'

const world = await RunWorld.open()
after(() => world.stop())

/** Options for developers of workflow runs: thousands of histories, with another seed. */
const numRuns = Number(process.env['SLUICE_HISTORIES'] ?? 10)
const seed = Number(process.env['SLUICE_SEED'] ?? 7)

test('whatever happens to a run, to what it makes and to its retries, they are what the specification makes of them', () =>
  fc.assert(
    fc.asyncProperty(histories, history => play(world, history)),
    // Each attempt takes a second: a failure is reported with its whole history, without shrinking.
    { numRuns, seed, endOnFailure: true },
  ))
