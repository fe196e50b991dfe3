/**
 * Loaded before a service (`node --import`): its process believes that it is ten minutes later, as on a machine whose
 * clock was set wrong.
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
