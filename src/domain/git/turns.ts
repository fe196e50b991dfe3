/** So many at once, and fewer of one kind: those of others find a turn also while one kind takes long. */
export class Turns {
  #free: number
  readonly #each: number
  readonly #taken = new Map<string, number>()
  readonly #waiting: { readonly kind: string; readonly go: () => void }[] = []

  constructor(all: number, each: number) {
    this.#free = all
    this.#each = each
  }

  /** First come, first served, among those whose kind has a turn left. */
  async take<T>(kind: string, work: () => Promise<T>): Promise<T> {
    if (this.#mayGo(kind)) this.#enter(kind)
    else await new Promise<void>(go => this.#waiting.push({ kind, go }))
    try {
      return await work()
    } finally {
      this.#leave(kind)
    }
  }

  #mayGo(kind: string): boolean {
    return this.#free > 0 && (this.#taken.get(kind) ?? 0) < this.#each
  }

  #enter(kind: string): void {
    this.#free -= 1
    this.#taken.set(kind, (this.#taken.get(kind) ?? 0) + 1)
  }

  #leave(kind: string): void {
    this.#free += 1
    const left = this.#taken.get(kind)! - 1
    if (left > 0) this.#taken.set(kind, left)
    else this.#taken.delete(kind)
    const at = this.#waiting.findIndex(each => this.#mayGo(each.kind))
    const [next] = at < 0 ? [] : this.#waiting.splice(at, 1)
    if (!next) return
    this.#enter(next.kind)
    next.go()
  }
}
