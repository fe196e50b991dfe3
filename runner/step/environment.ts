/**
 * The environment of a process that runs the bodies of one step after the other: each finds the environment of a
 * program that is started for it. Going through all names for each step takes V8 as long as all other preparation; so
 * writes are noticed, and without any, only the differences from the last step's environment are set.
 */
export class Environment {
  readonly #real = process.env
  /** Base environment of everything that a runner starts. */
  readonly #base: Readonly<Record<string, string | undefined>> = { ...process.env }
  #given: Readonly<Record<string, string>> = {}
  #written = false

  constructor() {
    const noticed =
      <Arguments extends unknown[]>(write: (...given: Arguments) => boolean) =>
      (...given: Arguments): boolean => {
        this.#written = true
        return write(...given)
      }
    process.env = new Proxy(this.#real, {
      set: noticed((real, name, value) => Reflect.set(real, name, value)),
      deleteProperty: noticed((real, name) => Reflect.deleteProperty(real, name)),
      defineProperty: noticed((real, name, about) => Reflect.defineProperty(real, name, about)),
    })
  }

  /** Becomes what the process was started with, and this besides. */
  become(given: Readonly<Record<string, string>>): void {
    const before = this.#written ? { ...this.#real } : { ...this.#base, ...this.#given }
    const wanted = { ...this.#base, ...given }
    for (const name of Object.keys(before)) if (!Object.hasOwn(wanted, name)) delete this.#real[name]
    for (const [name, value] of Object.entries(wanted)) if (before[name] !== value) this.#real[name] = value
    this.#given = given
    this.#written = false
  }
}
