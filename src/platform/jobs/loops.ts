import { theService } from '../actor.ts'
import { isDatabaseAway } from '../db/connection-errors.ts'
import type { Domain, Loop, Runtime } from '../domain.ts'
import { messageOf } from '../failure.ts'
import { FailingLoops } from './failing-loops.ts'

/**
 * Runs the loops of all domains until the process stops. A loop runs at once on a hint, again while there is more, and
 * at least each `every` milliseconds. Errors are logged and it continues: otherwise its work would wait until a
 * restart.
 *
 * @param failing the registry of failing loops
 * @returns a promise that is fulfilled when every loop has ended.
 */
export function runLoops(domains: readonly Domain[], runtime: Runtime, failing = new FailingLoops()): Promise<void> {
  const loops = domains.flatMap(domain => domain.loops ?? [])
  return Promise.all(loops.map((loop, at) => keepRunning(loop, at / loops.length, runtime, failing))).then(() => {})
}

/** @param share of `every` by which this loop is later than the first */
async function keepRunning(loop: Loop, share: number, runtime: Runtime, failing: FailingLoops): Promise<void> {
  const { stopping, database, log } = runtime
  const bell = new Bell(stopping)
  for (const hint of loop.hints) database.hints.on(hint, bell.ring)
  failing.begins(loop.name)
  let failures = 0
  try {
    while (!stopping.aborted) {
      let more = false
      try {
        more = await loop.run(runtime)
        failures = 0
        failing.wentWell(loop.name)
      } catch (error) {
        failures = failing.failed(loop.name, error)
        // The first failure, then each tenth: an unavailable database is one message, not sixty.
        if (failures % 10 === 1)
          log.error({ err: error, loop: loop.name, failures }, 'loop iteration failed; the loop continues')
        if (failures % 10 === 0 && !isDatabaseAway(error)) await recordFailureEvent(runtime, loop, error)
      }
      if (!more)
        await bell.wait(
          failures ? Math.min(loop.every * failures, 5_000) : untilTurn(loop.every, share, performance.now()),
        )
    }
  } finally {
    for (const hint of loop.hints) database.hints.off(hint, bell.ring)
  }
}

/** Records a failure in the audit trail, which people can subscribe to: at most once an hour over all processes. */
async function recordFailureEvent({ database, record, log }: Runtime, { name }: Loop, failed: unknown): Promise<void> {
  const error = messageOf(failed)
  try {
    await database.transaction(tx =>
      record(tx, {
        type: 'api:job:error',
        actor: theService,
        attributes: { name, error },
        throttle: { key: `loop:${name}`, seconds: 3_600 },
      }),
    )
  } catch (unrecorded) {
    log.warn({ err: unrecorded, loop: name }, 'event for a repeatedly failing loop could not be recorded')
  }
}

/** Maximum number of milliseconds by which a timer may be early. */
const moment = 5

/**
 * Milliseconds until a loop's next turn. Each has its own offset within `every`: otherwise a dozen loops that poll once
 * a second would do so at the same moment, and a request at that moment would wait for all of them. A turn a moment
 * ahead has already been taken, since timers are sometimes early.
 *
 * @param share of `every` by which its offset is behind that of the first loop
 */
export function untilTurn(every: number, share: number, now: number): number {
  const left = every - ((now + (1 - share) * every) % every)
  return left < moment ? left + every : left
}

/** A wait that ends when it is rung or stopped, or after a time. A ring between two waits counts for the next. */
class Bell {
  #rung = false
  #wake: (() => void) | undefined

  constructor(stopping: AbortSignal) {
    stopping.addEventListener('abort', () => this.ring(), { once: true })
  }

  ring = (): void => {
    this.#rung = true
    this.#wake?.()
  }

  async wait(milliseconds: number): Promise<void> {
    if (!this.#rung) {
      let timer: NodeJS.Timeout | undefined
      await new Promise<void>(resolve => {
        this.#wake = resolve
        timer = setTimeout(resolve, milliseconds)
      })
      clearTimeout(timer)
      this.#wake = undefined
    }
    this.#rung = false
  }
}
