/** Error or warning at a place in a text. Lines and columns begin at 1; without a column the whole line is marked. */
export interface Problem {
  readonly line: number
  readonly column?: number | undefined
  readonly message: string
  readonly severity?: 'error' | 'warning'
}

interface Lines {
  readonly lines: number
  line(number: number): { readonly from: number; readonly to: number; readonly text: string }
}

interface Diagnostic {
  readonly from: number
  readonly to: number
  readonly severity: 'error' | 'warning'
  readonly message: string
}

/**
 * Diagnostics of the editor for problems. Places outside of the text move to its nearest place, since the text may have
 * changed since it was checked.
 */
export const diagnosticsOf = (problems: readonly Problem[], text: Lines): Diagnostic[] =>
  problems.map(problem => ({
    ...range(problem, text),
    severity: problem.severity ?? 'error',
    message: problem.message,
  }))

function range({ line: number, column }: Problem, text: Lines): { from: number; to: number } {
  const line = text.line(Math.min(text.lines, Math.max(1, number)))
  if (column === undefined) return { from: line.from + line.text.search(/\S|$/), to: line.to }
  const from = Math.min(line.to, line.from + Math.max(0, column - 1))
  const [word = ''] = /^[^\s,:[\]{}]*/.exec(line.text.slice(from - line.from)) ?? []
  return { from, to: Math.min(line.to, from + Math.max(1, word.length)) }
}
