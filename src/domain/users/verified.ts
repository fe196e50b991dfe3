/**
 * Credentials found right a short while ago, under a keyed hash of user, password and the password's version. Those who
 * ask while one is being verified wait for that one.
 */
export class Verified {
  #until = new Map<string, number>()
  #underWay = new Map<string, Promise<number | undefined>>()

  /** @param verify answers the seconds for which it may be remembered, undefined when it is wrong */
  async ask(key: string, verify: () => Promise<number | undefined>): Promise<'remembered' | 'verified' | 'wrong'> {
    const until = this.#until.get(key)
    if (until !== undefined && performance.now() < until) return 'remembered'
    this.#until.delete(key)
    const underWay = this.#underWay.get(key) ?? this.#begin(key, verify)
    return (await underWay) === undefined ? 'wrong' : 'verified'
  }

  #begin(key: string, verify: () => Promise<number | undefined>): Promise<number | undefined> {
    const verifying = verify()
      .then(seconds => this.#keep(key, seconds))
      .finally(() => this.#underWay.delete(key))
    this.#underWay.set(key, verifying)
    return verifying
  }

  #keep(key: string, seconds: number | undefined): number | undefined {
    if (!seconds) return seconds
    if (this.#until.size >= 10_000) this.#until.delete(this.#until.keys().next().value!)
    this.#until.set(key, performance.now() + seconds * 1_000)
    return seconds
  }
}
