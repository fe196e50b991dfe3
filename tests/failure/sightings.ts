/** State at one moment, while everything was up. */
export interface Look {
  /** Seconds of the database's clock. */
  readonly now: number
  /** Running attempts, by `step/attempt`, with the time of the last contact with their runners. */
  readonly running: readonly { readonly id: string; readonly contact: number | null }[]
  /** Changes and runs that could start. */
  readonly admissible: readonly string[]
  /** Steps that need a slot of their own, which is free. */
  readonly steps: readonly string[]
}

/** A machine that is suspended for longer yields no valid measurement. */
const mostBetweenLooks = 5

/** Durations derived from consecutive sightings. */
export class Sightings {
  /** Attempts that ran during a fault: the clock at the end of the fault, and seconds since. */
  readonly #unheard = new Map<string, { since: number; seconds: number }>()
  readonly #idle = new Map<string, number>()
  #last: Look | undefined
  #faultEnded = false
  /** Seconds until a step that ran during a fault was adopted (its runner had contact) or resolved. */
  slowestAdoption = 0
  /** Seconds for which an activity waited although a slot was free. */
  longestBesideAFreeSlot = 0
  /** Activity that waited longest, and when it ended. */
  #besideAFreeSlot = ''
  count = 0

  /** Attempts of the next sighting ran during a fault. */
  faultEnded(): void {
    this.#faultEnded = true
  }

  /** Something was down: the time until the next sighting does not count. */
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

  /** Durations beyond the promised limits. */
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
