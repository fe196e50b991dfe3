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

/** Options for developers of configuration: thousands of histories, with another seed. */
const numRuns = Number(process.env['SLUICE_HISTORIES'] ?? 6)
const seed = Number(process.env['SLUICE_SEED'] ?? 7)

test('whatever is done to configuration, what is in force is what the layers say, now and at every moment before', () =>
  fc.assert(
    fc.asyncProperty(histories, history => live(service, history, { dockerfile: 'Overridden', 'runner.spares': 0 })),
    // Shrinking a history takes minutes; it is reported as it is.
    { numRuns, seed, endOnFailure: true },
  ))
