import { useKeys } from '../../keyboard/shortcuts.ts'

interface LogActions {
  readonly follow: () => void
  readonly nextMatch: (direction: 1 | -1) => void
  readonly nextError: () => void
  /** Opens the field for the number of a line, which begins with this digit. */
  readonly goToLine: (first: string) => void
}

/** Keys of a log, wherever the focus is. */
export function useLogShortcuts({ follow, nextMatch, nextError, goToLine }: LogActions): void {
  useKeys('log', {
    follow,
    next: () => nextMatch(1),
    previous: () => nextMatch(-1),
    error: nextError,
    line: pressed => goToLine(pressed.slice(-1)),
  })
}
