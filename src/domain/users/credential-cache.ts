/** A user as they were when their credentials were verified. */
export interface VerifiedUser {
  readonly id: string
  readonly passwordVersion: number
}

/**
 * Cache of recently verified credentials, under a keyed hash of user name and password. Concurrent requests with the
 * same credentials wait for one verification.
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

  /** Verifies credentials once for all concurrent requests. */
  once(key: string, verify: () => Promise<Answer>): Promise<Answer> {
    const underWay = this.#underWay.get(key)
    if (underWay !== undefined) return underWay
    const verifying = verify().finally(() => this.#underWay.delete(key))
    this.#underWay.set(key, verifying)
    return verifying
  }

  /** @param seconds for which they are cached; 0: not at all */
  keep(key: string, user: VerifiedUser, seconds: number): void {
    if (!seconds) return
    if (this.#proven.size >= 10_000) this.#proven.delete(this.#proven.keys().next().value!)
    this.#proven.set(key, { user, until: performance.now() + seconds * 1_000 })
  }
}
