import { renameSync, writeFileSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'

/**
 * Loaded into the service by a bench: records the longest time, in milliseconds, for which its event loop was blocked,
 * and the most processor time that the loop's thread took between two of its turns. On a busy machine the first
 * includes the time of other processes, the second only the service's own. A signal resets both, so that they do not
 * include the start of the service.
 */
const notes = new URL(import.meta.url).searchParams.get('notes')!
const held = monitorEventLoopDelay({ resolution: 1 })
held.enable()

const spent = () => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}
let [before, most] = [spent(), 0]
setInterval(() => {
  const now = spent()
  most = Math.max(most, now - before)
  before = now
}, 1).unref()

process.on('SIGUSR2', () => {
  held.reset()
  most = 0
})
setInterval(() => {
  // Written atomically, so that a reader never sees a part.
  writeFileSync(`${notes}.next`, JSON.stringify({ held: held.max / 1e6, spent: most }))
  renameSync(`${notes}.next`, notes)
}, 100).unref()
