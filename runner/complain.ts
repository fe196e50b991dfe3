import { writeSync } from 'node:fs'

let lost = 0

/**
 * Writes a line for operators to the runner's `supervisor.log`. Never throws: it may report the full disk that the log
 * is on. Lines lost that way are counted, and the count is written as soon as the log accepts lines again.
 */
export function complain(line: string): void {
  const now = new Date().toISOString()
  const before = lost === 0 ? '' : `${now} ${lost} lines could not be written to this log\n`
  try {
    writeSync(2, `${before}${now} ${line}\n`)
    lost = 0
  } catch {
    lost += 1
  }
}
