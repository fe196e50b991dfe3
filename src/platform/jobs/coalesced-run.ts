/** Runs `work` one at a time; requests that arrive while it runs are coalesced into one further run. */
export class CoalescedRun {
  readonly #look: () => Promise<void>
  readonly #failed: (error: unknown) => void
  #asked = false
  #underWay = false

  /** @param failed called with the error of a failed run; the next run starts with the next request */
  constructor(look: () => Promise<void>, failed: (error: unknown) => void) {
    this.#look = look
    this.#failed = failed
  }

  readonly request = (): void => {
    this.#asked = true
    if (!this.#underWay) void this.#takeAll()
  }

  async #takeAll(): Promise<void> {
    this.#underWay = true
    while (this.#asked) {
      this.#asked = false
      await this.#look().catch(this.#failed)
    }
    this.#underWay = false
  }
}
