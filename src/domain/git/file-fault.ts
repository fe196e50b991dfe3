/** One thing that is wrong in a file of a repository. Lines and columns count from 1. */
export interface FileFault {
  readonly file: string
  readonly line: number
  readonly column: number
  readonly message: string
}

/**
 * As compilers write it, so that editors find the place. It may repeat any name that somebody wrote, or a program said,
 * and PostgreSQL's text has no U+0000.
 */
export const faultText = ({ file, line, column, message }: FileFault): string =>
  `${file}:${line}:${column}: ${message}`.replaceAll('\0', '\u2400')

/** All of them, a line for each, at most so many. */
export function faultsText(faults: readonly FileFault[], most = 100): string {
  const lines = faults.slice(0, most).map(faultText)
  return [...lines, ...(faults.length > most ? [`… and ${faults.length - most} more`] : [])].join('\n')
}

export function placeIn(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset)
  const line = before.split('\n').length
  return { line, column: offset - before.lastIndexOf('\n') }
}
