/**
 * Results of external calls for the transactions of one request. A call may take any time: a transaction that waited
 * for it would hold its locks and its connection meanwhile, and twenty of them all connections.
 */
export class ExternalCalls {
  readonly #told = new Map<string, PromiseSettledResult<unknown>>()

  /**
   * Returns the known result of a call inside a transaction, or ends this attempt so that the call is made outside it.
   */
  async answer<T>(key: string, ask: () => Promise<T>): Promise<T> {
    const told = this.#told.get(key)
    if (!told) throw new NeedsExternalCall(key, ask)
    if (told.status === 'rejected') throw told.reason
    return told.value as T
  }

  /** Runs `attempt` until it needs no further call. */
  async runWithCalls<T>(attempt: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await attempt()
      } catch (error) {
        if (!(error instanceof NeedsExternalCall)) throw error
        if (this.#told.size === mostQuestions)
          throw new Error(`a transaction makes external calls without end: ${error.key}`)
        const [told] = await Promise.allSettled([error.ask()])
        this.#told.set(error.key, told!)
      }
    }
  }
}

/**
 * Whether a transaction that must not make external calls (`TransactionOptions.forbidExternalCalls`) would have needed
 * one.
 */
export const needsExternalCall = (error: unknown): boolean => error instanceof NeedsExternalCall

const mostQuestions = 32

/**
 * Error that ends an attempt of a transaction which needs an external call first. Code that catches errors must rethrow
 * it.
 */
class NeedsExternalCall extends Error {
  readonly key: string
  readonly ask: () => Promise<unknown>
  constructor(key: string, ask: () => Promise<unknown>) {
    super('the transaction is begun again once this has been asked')
    this.name = 'NeedsExternalCall'
    this.key = key
    this.ask = ask
  }
}
