/** What there was at one moment, while everything was up. */
export interface Look {
  /** Seconds of the database's clock. */
  readonly now: number
  /** Attempts that run, by `step/attempt`, and when something was last heard of their runners. */
  readonly running: readonly { readonly id: string; readonly contact: number | null }[]
  /** Changes and runs that could start. */
  readonly admissible: readonly string[]
  /** Steps that need a slot of their own, which is there. */
  readonly steps: readonly string[]
}

/** A machine that stands still for longer says nothing of what it would have done meanwhile. */
const mostBetweenLooks = 5

/** How long things took, by one look after the other. */
export class Sightings {
  /** Attempts that ran at a fault: the clock at the end of the fault, and seconds since. */
  readonly #unheard = new Map<string, { since: number; seconds: number }>()
  readonly #idle = new Map<string, number>()
  #last: Look | undefined
  #faultEnded = false
  /** Seconds until a step that ran at a fault was adopted (its runner was heard again) or resolved. */
  slowestAdoption = 0
  /** Seconds that something stood beside a free slot and could have had it. */
  longestBesideAFreeSlot = 0
  /** What that was, and when it was over. */
  #besideAFreeSlot = ''
  count = 0

  /** Whatever runs at the next look ran at a fault. */
  faultEnded(): void {
    this.#faultEnded = true
  }

  /** Something was away: the time until the next look does not count. */
  interrupted(): void {
    this.#last = undefined
  }

  see(look: Look): void {
    this.count += 1
    const passed = this.#last ? Math.min(look.now - this.#last.now, mostBetweenLooks) : 0
    if (this.#faultEnded) {
      this.#faultEnded = false
      for (const { id } of look.running)
        if (!this.#unheard.has(id)) this.#unheard.set(id, { since: look.now, seconds: 0 })
    }
    const contacts = new Map(look.running.map(({ id, contact }) => [id, contact]))
    for (const [id, unheard] of this.#unheard) {
      const contact = contacts.get(id)
      if (contact === undefined || (contact !== null && contact > unheard.since)) this.#unheard.delete(id)
      else unheard.seconds += passed
      this.slowestAdoption = Math.max(this.slowestAdoption, unheard.seconds)
    }
    const admissible = new Set([...look.admissible, ...look.steps])
    for (const id of this.#idle.keys()) if (!admissible.has(id)) this.#idle.delete(id)
    for (const id of admissible) {
      this.#idle.set(id, (this.#idle.get(id) ?? -passed) + passed)
      if (this.#idle.get(id)! <= this.longestBesideAFreeSlot) continue
      this.longestBesideAFreeSlot = this.#idle.get(id)!
      this.#besideAFreeSlot = `${id}, until ${new Date(look.now * 1_000).toISOString()}`
    }
    this.#last = look
  }

  /** What took longer than it is promised to. */
  tooLong(): string[] {
    const { slowestAdoption, longestBesideAFreeSlot } = this
    return [
      ...(slowestAdoption > 30
        ? [`a step that ran at a fault was neither adopted nor resolved for ${Math.round(slowestAdoption)} s`]
        : []),
      ...(longestBesideAFreeSlot > 31
        ? [
            `a change or a step that could start stood beside a free slot for ${Math.round(longestBesideAFreeSlot)} s: ${this.#besideAFreeSlot}`,
          ]
        : []),
    ]
  }
}
