import { availableParallelism, loadavg } from 'node:os'
import { checkHistories } from '../tests/admission-model/check.ts'
import { withTestServer } from '../tests/support/test-run.ts'

/** Program of `bench/admission-model`. */
const usual = process.env['SLUICE_HISTORIES'] ?? '1000'
const [histories = usual, seed = String(Math.floor(Math.random() * 2 ** 31)), path] = process.argv.slice(2)
if (![histories, seed].every(given => /^\d{1,10}$/.test(given))) {
  console.error('bench/admission-model [histories, 1000] [seed] [path]: histories and seed are whole numbers.')
  process.exitCode = 2
} else {
  console.error(`seed ${seed}`)
  const outcome = await withTestServer({}, server => {
    process.env['SLUICE_TEST_DATABASE_URL'] = server
    return checkHistories(Number(histories), Number(seed), { path, told: console.error })
  })
  const machine = { processors: availableParallelism(), load: loadavg()[0], node: process.version }
  console.log(JSON.stringify({ ...outcome, machine }, null, 2))
  process.exitCode = outcome.counterexample ? 1 : 0
}
