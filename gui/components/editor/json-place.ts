import type { Place } from './place.ts'

interface Container {
  readonly isObject: boolean
  readonly keys: string[]
  /** Key whose value is read, or the index of the item. */
  at: string | number | undefined
}

/** Place of the cursor in a JSON document, read from its beginning; the rest of the document may be incomplete. */
export function jsonPlace(text: string, offset: number): Place | undefined {
  const open: Container[] = []
  let i = 0
  while (i < offset) {
    const character = text[i]
    if (character === '"') {
      const end = endOfString(text, i)
      if (end > offset || end > text.length) return placeIn(open, i + 1, true)
      const container = open.at(-1)
      if (container?.isObject && container.at === undefined) {
        const key = JSON.parse(text.slice(i, end)) as string
        container.keys.push(key)
        if (/^\s*:/.test(text.slice(end))) container.at = key
      }
      i = end
      continue
    }
    if (character === '{') open.push({ isObject: true, keys: [], at: undefined })
    else if (character === '[') open.push({ isObject: false, keys: [], at: 0 })
    else if (character === '}' || character === ']') open.pop()
    else if (character === ',') next(open.at(-1))
    i += 1
  }
  const word = /[\w.-]*$/.exec(text.slice(0, offset))?.[0] ?? ''
  return open.length === 0 ? undefined : placeIn(open, offset - word.length, false)
}

function next(container: Container | undefined): void {
  if (!container) return
  container.at = container.isObject ? undefined : Number(container.at) + 1
}

function placeIn(open: readonly Container[], from: number, isQuoted: boolean): Place | undefined {
  const path = open.flatMap(({ at }) => at ?? [])
  const container = open.at(-1)
  const expectsKey = container?.isObject === true && container.at === undefined
  return { path, expects: expectsKey ? 'key' : 'value', from, siblings: expectsKey ? container.keys : [], isQuoted }
}

/** Offset behind the closing quote; behind the text if there is none. */
function endOfString(text: string, start: number): number {
  for (let i = start + 1; i < text.length; i += 1) {
    if (text[i] === '\\') i += 1
    else if (text[i] === '"') return i + 1
    else if (text[i] === '\n') return text.length + 1
  }
  return text.length + 1
}
