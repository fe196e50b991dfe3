import { useLetterShortcuts } from '../../shell/shortcuts.ts'

interface LogActions {
  readonly follow: () => void
  readonly nextMatch: (direction: 1 | -1) => void
  readonly nextError: () => void
  /** Opens the field for the number of a line, which begins with this digit. */
  readonly goToLine: (first: string) => void
}

/** Digits with which the number of a line begins. */
const firstDigits = ['1', '2', '3', '4', '5', '6', '7', '8', '9']

/** Keys of a log: `f`, `n`, `p`, `e`, and `g` with the number of a line. */
export function useLogShortcuts({ follow, nextMatch, nextError, goToLine }: LogActions): void {
  useLetterShortcuts({
    f: follow,
    n: () => nextMatch(1),
    p: () => nextMatch(-1),
    e: nextError,
    ...Object.fromEntries(firstDigits.map(digit => [`g ${digit}`, () => goToLine(digit)])),
  })
}
