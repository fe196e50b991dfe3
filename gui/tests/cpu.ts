import type { CDPSession, Page } from '@playwright/test'

/**
 * CPU time of the main thread of a page, in milliseconds of the reference machine.
 *
 * Chromium counts the time that the thread was on a processor (`threadTicks`), so other programs on a busy machine do not
 * count. What remains is the speed of the processor, which caches and hyper-threads shared with others halve at times. So
 * a fixed piece of work in JavaScript is measured in the same thread before and after, and the result is divided by how
 * much longer that took than on the reference machine; a faster one is not held to more. The work is that of an
 * application (objects, maps, sorting, texts) without layout.
 */
export class MainThread {
  readonly #page: Page
  readonly #session: CDPSession

  private constructor(page: Page, session: CDPSession) {
    this.#page = page
    this.#session = session
  }

  static async of(page: Page): Promise<MainThread> {
    const session = await page.context().newCDPSession(page)
    await session.send('Performance.enable', { timeDomain: 'threadTicks' })
    return new MainThread(page, session)
  }

  /** Milliseconds that the thread works during `act`, as on the reference machine; wall time is only printed. */
  during(name: string, act: () => Promise<unknown>): Promise<number> {
    return this.#measure(name, () => this.#spent(act))
  }

  /** Milliseconds that the thread works for the page that `load` goes to, from its first byte on. */
  loading(name: string, load: () => Promise<unknown>): Promise<number> {
    return this.#measure(name, async () => {
      await load()
      // Chromium counts anew for each page.
      return this.#taskDuration()
    })
  }

  async #measure(name: string, measure: () => Promise<number>): Promise<number> {
    const before = await this.#calibrate()
    const started = performance.now()
    const spent = await measure()
    const wall = performance.now() - started
    const slowness = (before + (await this.#calibrate())) / 2 / reference
    const cpu = spent / Math.max(1, slowness)
    console.log(
      `${name}: ${cpu.toFixed(1)} ms of CPU (${slowness.toFixed(2)} × the reference), ${wall.toFixed(0)} ms in all`,
    )
    return cpu
  }

  async #calibrate(): Promise<number> {
    // The first rounds are compiled; the quickest one is the least disturbed.
    const rounds: number[] = []
    for (let i = 0; i < 4; i++) rounds.push(await this.#spent(() => this.#page.evaluate(fixedWork)))
    return Math.min(...rounds)
  }

  async #spent(act: () => Promise<unknown>): Promise<number> {
    const before = await this.#taskDuration()
    await act()
    return (await this.#taskDuration()) - before
  }

  /** CPU time of all tasks of the thread so far, in milliseconds. */
  async #taskDuration(): Promise<number> {
    const { metrics } = await this.#session.send('Performance.getMetrics')
    const found = metrics.find(({ name }) => name === 'TaskDuration')
    if (!found) throw new Error('Chromium reports no TaskDuration')
    return found.value * 1_000
  }
}

/** Milliseconds of CPU that `fixedWork` takes on the reference machine: two shared cores of a server of 2026. */
const reference = 13

/** Work that always is the same; runs in the page. */
function fixedWork(): number {
  let seed = 42
  const random = () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
    return seed
  }
  const records = Array.from({ length: 20_000 }, (_, i) => ({
    id: i,
    name: `step ${random() % 5_000}`,
    order: random(),
  }))
  records.sort((a, b) => a.order - b.order)
  const byName = new Map<string, number>()
  for (const { name, id } of records) byName.set(name, (byName.get(name) ?? 0) + id)
  const text = JSON.stringify([...byName])
  return (JSON.parse(text) as unknown[]).length + text.split(',').join(';').length
}
