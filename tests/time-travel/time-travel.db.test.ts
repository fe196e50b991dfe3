import { after, test } from 'node:test'
import fc from 'fast-check'
import { startTestService } from '../support/service.ts'
import { histories } from './history.ts'
import { live } from './live.ts'

const service = await startTestService({
  config: { settingOverrides: { DOCKERFILE: 'Overridden', RUNNER__SPARES: '0' } },
  users: { operator: [{ path: '/projects/*/assets/a', read: true }], other: [] },
})
after(() => service.stop())

/** For whoever has changed how configuration converges and wants thousands, of another seed. */
const numRuns = Number(process.env['SLUICE_HISTORIES'] ?? 6)
const seed = Number(process.env['SLUICE_SEED'] ?? 7)

test('whatever is done to configuration, what is in force is what the layers say, now and at every moment before', () =>
  fc.assert(
    fc.asyncProperty(histories, history => live(service, history, { dockerfile: 'Overridden', 'runner.spares': 0 })),
    // Making a history smaller takes minutes; what was done is told of it as it is.
    { numRuns, seed, endOnFailure: true },
  ))
