import { type Dice, diceOf } from '../support/dice.ts'

/** Pseudorandom numbers from a seed: the same seed yields the same numbers. */
export class Chance {
  readonly #dice: Dice

  constructor(seed: number) {
    this.#dice = diceOf(seed)
  }

  of<T>(values: readonly T[]): T {
    return values[Math.floor(this.#below1() * values.length)]!
  }

  is(share: number): boolean {
    return this.#below1() < share
  }

  #below1(): number {
    return this.#dice(2 ** 32) / 2 ** 32
  }
}
