import { Refused } from '#client/sluice.ts'

/** Faults of a refused request, for the fields of a form. */
export interface FormFaults {
  /** Text of the field at a JSON pointer of the request document, such as `/data/attributes/code`. */
  readonly at: (pointer: string) => string | undefined
  /** Whether faults belong to none of these pointers, so that the form shows the error as a whole. */
  readonly hasOthers: (pointers: readonly string[]) => boolean
}

/** Sorts the faults of an error by the field that they name. */
export function formFaults(error: unknown): FormFaults {
  const faults = error instanceof Refused ? error.faults : []
  return {
    at: pointer =>
      faults
        .filter(({ source }) => source?.pointer === pointer)
        .map(({ detail, title, code }) => detail ?? title ?? code)
        .join(' ') || undefined,
    hasOthers: pointers =>
      error !== null &&
      error !== undefined &&
      (faults.length === 0 || faults.some(({ source }) => !pointers.includes(source?.pointer ?? ''))),
  }
}
