import { fromJson } from '#json/from-json.ts'
import { endOfText, isName } from '#json/text-in-json.ts'

/**
 * Pointer to an object of this JSON text that has a name twice, in parts; undefined where none has. JSON.parse takes
 * the last of them silently, and another program on the way may have used the first.
 *
 * @param text well-formed JSON
 * @param names how many names its objects have when each is counted once
 */
export function namedTwice(text: string, names: number): string[] | undefined {
  // Counting is quick, and nearly always says that all is well.
  let written = 0
  for (let start = text.indexOf('"'); start >= 0; ) {
    const end = endOfText(text, start)
    if (isName(text, end)) written += 1
    start = text.indexOf('"', end)
  }
  return written === names ? undefined : find(text)
}

interface Level {
  /** Names read so far in an object; undefined in an array. */
  readonly names: Set<string> | undefined
  /** The name or index of what is being read. */
  at: string
}

function find(text: string): string[] | undefined {
  const levels: Level[] = []
  for (let place = 0; place < text.length; place += 1) {
    const level = levels.at(-1)
    const character = text[place]
    if (character === '{') levels.push({ names: new Set(), at: '' })
    else if (character === '[') levels.push({ names: undefined, at: '0' })
    else if (character === '}' || character === ']') levels.pop()
    else if (character === ',' && level && !level.names) level.at = String(Number(level.at) + 1)
    else if (character === '"') {
      const end = endOfText(text, place)
      if (level?.names && isName(text, end)) {
        level.at = fromJson(text.slice(place, end)) as string
        if (level.names.has(level.at)) return levels.map(({ at }) => at)
        level.names.add(level.at)
      }
      place = end - 1
    }
  }
  return undefined
}
