import { readFileSync } from 'node:fs'

/**
 * Address of the service. It may have restarted on another port, or another process may have taken the runner over:
 * both write their address into a file. Several addresses are tried in turn until one answers.
 */
export class ServiceAddress {
  readonly #given: string
  readonly #files: readonly string[]
  readonly #failed = new Set<string>()
  #answers: string | undefined

  /**
   * @param given the address that the runner was started with
   * @param files files that hold an address, most trusted first; those that do not exist are skipped
   */
  constructor(given: string, files: readonly string[]) {
    this.#given = given
    this.#files = files
  }

  /** The address that answers, otherwise the next one to try. */
  current(): string {
    if (this.#answers !== undefined) return this.#answers
    const candidates = [...this.#files.flatMap(file => readIfThere(file)?.trim() || []), this.#given]
    const next = candidates.find(each => !this.#failed.has(each))
    if (next !== undefined) return next
    this.#failed.clear()
    return candidates[0]!
  }

  answered(address: string): void {
    this.#answers = address
    this.#failed.clear()
  }

  /** Marks an address as unresponsive: it no longer answers, or never did. */
  failed(address: string): void {
    this.#answers = undefined
    this.#failed.add(address)
  }

  /** Marks the connection as lost although the address answered: the newest announcement is tried first. */
  lost(): void {
    this.#answers = undefined
  }
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
