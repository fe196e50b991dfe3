import { writeFileSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'

/**
 * Loaded into the service by a bench: notes the longest time, in milliseconds, for which its event loop was held. A signal
 * begins the count again, so that the start of the service is not in it.
 */
const notes = new URL(import.meta.url).searchParams.get('notes')!
const held = monitorEventLoopDelay({ resolution: 1 })
held.enable()
process.on('SIGUSR2', () => held.reset())
setInterval(() => writeFileSync(notes, String(held.max / 1e6)), 100).unref()
