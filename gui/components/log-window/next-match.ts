/** Place of the next match behind a line, or before it; wraps around at the ends. `lines` are in ascending order. */
export function nextMatch(lines: readonly number[], line: number, direction: 1 | -1): number | undefined {
  if (lines.length === 0) return undefined
  // The number of matches before the line, by bisection.
  let [low, high] = [0, lines.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (lines[middle]! < line) low = middle + 1
    else high = middle
  }
  const isThere = lines[low] === line
  const place = direction === 1 ? (isThere ? low + 1 : low) : low - 1
  return (place + lines.length) % lines.length
}

/** Places from 0 to 1 of marks for lines, at most one for each of `steps` parts of the scroll bar. */
export function scrollMarks(lines: readonly number[], count: number, steps = 200): number[] {
  if (count === 0) return []
  return [...new Set(lines.map(line => Math.round((line / count) * steps) / steps))]
}
