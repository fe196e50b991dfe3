/** RFC 4180, parsed by hand: rows of cells. */
export function readCsv(text: string): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  let at = 0
  while (at < text.length) {
    let cell = ''
    if (text[at] === '"') {
      for (at += 1; text[at] !== '"' || text[at + 1] === '"'; at += 1) {
        if (text[at] === '"') at += 1
        cell += text[at]
      }
      at += 1
    } else {
      while (at < text.length && text[at] !== ',' && !text.startsWith('\r\n', at)) cell += text[at++]
    }
    row.push(cell)
    if (text[at] === ',') {
      at += 1
      if (at === text.length) row.push('')
      continue
    }
    rows.push(row)
    row = []
    at += 2
  }
  return rows
}

/** Expected cell for a value of a response in JSON. */
export function cellOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'object') return JSON.stringify(value)
  return typeof value === 'string' && /^[=+\-@\t\r]/.test(value) ? `'${value}` : String(value)
}
