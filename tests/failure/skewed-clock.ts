/**
 * Preloaded by a service (`node --import`): shifts the clock of its process by ten minutes, as on a machine with a
 * wrong clock.
 */
const ahead = 10 * 60_000
const RealDate = Date

class SkewedDate extends RealDate {
  constructor(...given: ConstructorParameters<typeof Date> | []) {
    if (given.length === 0) super(RealDate.now() + ahead)
    else super(...(given as [number]))
  }

  static override now(): number {
    return RealDate.now() + ahead
  }
}

globalThis.Date = SkewedDate as DateConstructor
