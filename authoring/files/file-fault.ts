import { storable } from '#platform/stored-text.ts'

/** One fault in a file of a repository. Lines and columns count from 1. */
export interface FileFault {
  readonly file: string
  readonly line: number
  readonly column: number
  readonly message: string
}

/**
 * Message with the place in the form of compilers, so that editors find it. It may contain any name chosen by a user or
 * printed by a program.
 */
export const faultText = ({ file, line, column, message }: FileFault): string =>
  storable(`${file}:${line}:${column}: ${message}`)

/** Text of the faults, one per line, at most `most`. */
export function faultsText(faults: readonly FileFault[], most = 100): string {
  const lines = faults.slice(0, most).map(faultText)
  return [...lines, ...(faults.length > most ? [`… and ${faults.length - most} more`] : [])].join('\n')
}

/** Finds the places of offsets in a text; the beginnings of its lines are searched once for many offsets. */
export function placesIn(text: string): (offset: number) => { line: number; column: number } {
  const starts = [0]
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return offset => {
    let [low, high] = [0, starts.length - 1]
    while (low < high) {
      const middle = Math.ceil((low + high) / 2)
      if (starts[middle]! <= offset) low = middle
      else high = middle - 1
    }
    return { line: low + 1, column: offset - starts[low]! + 1 }
  }
}

export const placeIn = (text: string, offset: number): { line: number; column: number } => placesIn(text)(offset)
