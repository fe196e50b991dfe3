import type { Around, Domain, Loop } from '../domain.ts'

/**
 * Runs the loops of all domains until the process stops. A loop runs at once on a hint, again while it says that there
 * is more, and at least each `every` milliseconds. What it throws is logged and it goes on: a loop that dies would
 * leave work lying until a restart.
 *
 * @returns a promise that is fulfilled when every loop has ended.
 */
export function runLoops(domains: readonly Domain[], around: Around): Promise<void> {
  const loops = domains.flatMap(domain => domain.loops ?? [])
  return Promise.all(loops.map(loop => keepRunning(loop, around))).then(() => {})
}

async function keepRunning(loop: Loop, around: Around): Promise<void> {
  const { stopping, database, log } = around
  const bell = new Bell(stopping)
  for (const hint of loop.hints) database.hints.on(hint, bell.ring)
  let failures = 0
  try {
    while (!stopping.aborted) {
      let more = false
      try {
        more = await loop.run(around)
        failures = 0
      } catch (error) {
        failures += 1
        // The first, then each tenth: a database that is away for a minute is one story, not sixty.
        if (failures % 10 === 1) log.error({ err: error, loop: loop.name, failures }, 'a loop failed and goes on')
      }
      if (!more) await bell.wait(failures ? Math.min(loop.every * failures, 5_000) : loop.every)
    }
  } finally {
    for (const hint of loop.hints) database.hints.off(hint, bell.ring)
  }
}

/** A wait that ends when rung, when stopped, or after a time. A ring between two waits is kept for the next. */
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
