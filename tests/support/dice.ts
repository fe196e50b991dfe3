/** Random integer from 0 to below `sides`. */
export type Dice = (sides: number) => number

/** mulberry32: small, and the same on every platform. */
export function diceOf(seed: number): Dice {
  let state = seed >>> 0
  return sides => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) % sides
  }
}
