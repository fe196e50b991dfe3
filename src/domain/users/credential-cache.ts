/** A user as they were when their credentials were found right. */
export interface VerifiedUser {
  readonly id: string
  readonly passwordVersion: number
}

/**
 * Credentials found right a short while ago, under a keyed hash of user name and password. Those who ask while one is being
 * verified wait for that one.
 */
export class CredentialCache<Answer> {
  #proven = new Map<string, { user: VerifiedUser; until: number }>()
  #underWay = new Map<string, Promise<Answer>>()

  /** User of the credentials, as long as they are cached. */
  of(key: string): VerifiedUser | undefined {
    const proven = this.#proven.get(key)
    if (proven && performance.now() < proven.until) return proven.user
    this.#proven.delete(key)
    return undefined
  }

  /** Verifies credentials once for all who ask at the same time. */
  once(key: string, verify: () => Promise<Answer>): Promise<Answer> {
    const underWay = this.#underWay.get(key)
    if (underWay !== undefined) return underWay
    const verifying = verify().finally(() => this.#underWay.delete(key))
    this.#underWay.set(key, verifying)
    return verifying
  }

  /** @param seconds for which it is remembered that they are this user's; 0: not at all */
  keep(key: string, user: VerifiedUser, seconds: number): void {
    if (!seconds) return
    if (this.#proven.size >= 10_000) this.#proven.delete(this.#proven.keys().next().value!)
    this.#proven.set(key, { user, until: performance.now() + seconds * 1_000 })
  }
}
