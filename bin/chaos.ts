import { availableParallelism, loadavg } from 'node:os'
import { killAtRandom } from '../tests/failure/random-kills.ts'

/** Program of `bin/chaos`. */
const [kills = '50', seed = String(Math.floor(Math.random() * 2 ** 32))] = process.argv.slice(2)
if (![kills, seed].every(given => /^\d{1,10}$/.test(given))) {
  console.error('bin/chaos [kills, 50] [seed]: both are whole numbers.')
  process.exitCode = 2
} else {
  console.error(`seed ${seed}`)
  const report = await killAtRandom(Number(kills), Number(seed))
  const machine = { processors: availableParallelism(), load: loadavg()[0], node: process.version }
  console.log(JSON.stringify({ ...report, machine }, null, 2))
  process.exitCode = report.violations.length > 0 ? 1 : 0
}
