import { availableParallelism, loadavg } from 'node:os'
import { chaos } from '../tests/failure/chaos.ts'

/** Program of `bench/chaos`. */
const [seed = String(Math.floor(Math.random() * 2 ** 32))] = process.argv.slice(2)
const { SLUICE_CHAOS_FAULTS: faults = 'random' } = process.env
/** Defaults for a short run (`once`) or a long one. */
const [usualMinutes, usualChanges] = faults === 'once' ? ['1', '33'] : ['10', '2000']
const { SLUICE_CHAOS_MINUTES: minutes = usualMinutes, SLUICE_CHAOS_CHANGES: changes = usualChanges } = process.env
if (!['random', 'once'].includes(faults)) {
  console.error(`SLUICE_CHAOS_FAULTS is random or once (each fault), not ${faults}.`)
  process.exitCode = 2
} else if (!/^\d{1,10}$/.test(seed) || !(Number(minutes) > 0) || !(Number(changes) >= 1)) {
  console.error('SLUICE_CHAOS_MINUTES=10 SLUICE_CHAOS_CHANGES=2000 bench/chaos [seed]: all of them are numbers.')
  process.exitCode = 2
} else {
  console.error(`seed ${seed}`)
  const eachFaultOnce = faults === 'once'
  const wish = { changes: Number(changes), minutes: Number(minutes), seed: Number(seed), eachFaultOnce }
  const report = await chaos(wish, line => console.error(`${new Date().toISOString()} ${line}`))
  const machine = { processors: availableParallelism(), load: loadavg()[0], node: process.version }
  console.log(JSON.stringify({ ...report, machine }, null, 2))
  process.exitCode = report.violations.length + report.tooLong.length > 0 ? 1 : 0
}
