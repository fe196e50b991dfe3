/** Error of a git command; `output` is its output, credentials hidden. */
export class GitFailure extends Error {
  readonly output: string
  readonly exitCode: number | null

  constructor(message: string, output: string, exitCode: number | null) {
    super(message)
    this.name = 'GitFailure'
    this.output = output
    this.exitCode = exitCode
  }
}
