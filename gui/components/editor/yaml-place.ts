import type { Place } from './place.ts'

/** Line of a YAML document in block style. */
interface Line {
  /** Columns of its `- ` marks. */
  readonly marks: readonly number[]
  /** Column of the text behind the marks. */
  readonly column: number
  readonly key: string | undefined
  /** Text behind the key and its colon, or behind the marks. */
  readonly value: string
}

/**
 * Place of the cursor in a YAML document in block style, found by the indentation of the lines alone, since a document
 * that is being typed seldom parses. Undefined within a comment.
 */
export function yamlPlace(text: string, offset: number): Place | undefined {
  const before = text.slice(0, offset).split('\n')
  const typed = before.pop() ?? ''
  if (/(^|\s)#/.test(typed)) return undefined
  const line = lineOf(typed)
  const lines = text.split('\n').map(each => (isBlank(each) ? undefined : lineOf(each)))
  const isValue = line.key !== undefined && /:\s+\S*/.test(typed)
  const word = /[\w.$/-]*$/.exec(line.value)?.[0] ?? ''
  const place = { from: offset - word.length, isQuoted: /^["']/.test(line.value) }
  const path = [...parentsOf(lines.slice(0, before.length), line), ...line.marks.map(() => 0)]
  if (isValue && line.key !== undefined) return { ...place, path: [...path, line.key], expects: 'value', siblings: [] }
  const siblings = siblingsOf(lines, before.length, line)
  return { ...place, path, expects: line.marks.length > 0 ? 'any' : 'key', siblings }
}

const isBlank = (line: string): boolean => /^\s*(#|$)/.test(line)

function lineOf(text: string): Line {
  const [, lead = '', rest = ''] = /^(\s*(?:-(?:\s+|$))*)(.*)$/.exec(text) ?? []
  const marks = [...lead.matchAll(/-/g)].map(({ index }) => index)
  const [, key, value] = /^("[^"]*"|'[^']*'|[^\s"'#:][^#:]*)\s*:(?:\s+(.*))?$/.exec(rest) ?? []
  return {
    marks,
    column: lead.length,
    key: key?.replaceAll(/["']/g, '').trim(),
    value: key === undefined ? rest : (value ?? ''),
  }
}

/** Keys and indexes of the containers of a line, outermost first. The index of an item counts as 0. */
function parentsOf(before: readonly (Line | undefined)[], { marks, column }: Line): (string | number)[] {
  const path: (string | number)[] = []
  let [limit = column] = marks
  // The items of a list may be in the same column as the key of the list.
  let isItem = marks.length > 0
  for (const line of before.toReversed()) {
    if (!line) continue
    if (line.key !== undefined && (line.column < limit || (isItem && line.column === limit))) {
      path.unshift(line.key)
      limit = line.column
      isItem = false
    }
    for (const mark of line.marks.toReversed())
      if (mark < limit) {
        path.unshift(0)
        limit = mark
        isItem = true
      }
  }
  return path
}

/** Keys of the mapping that a line is part of. */
function siblingsOf(lines: readonly (Line | undefined)[], at: number, { marks, column }: Line): string[] {
  const keys: string[] = []
  for (let i = at - 1; i >= 0 && marks.length === 0; i -= 1) {
    const line = lines[i]
    if (line && line.column < column) break
    if (line?.column === column && line.key !== undefined) keys.push(line.key)
    if (line?.column === column && line.marks.length > 0) break
  }
  for (const line of lines.slice(at + 1)) {
    if (line && (line.column < column || (line.column === column && line.marks.length > 0))) break
    if (line?.column === column && line.key !== undefined) keys.push(line.key)
  }
  return keys
}
