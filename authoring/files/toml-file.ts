import { parse } from 'smol-toml'
import { numberFault } from '#json/written-number.ts'
import { documentFaults, isObject, type Json, objectOf } from '#platform/documents/document.ts'
import { type FileFault, placesIn } from './file-fault.ts'
import { namingTemplates } from './unquoted-template.ts'

/**
 * A TOML file as JSON. Dates and times are texts, exactly as they are written; a date that does not exist, and a number
 * that JSON cannot represent with all of its digits, is refused.
 */
export function readToml(file: string, text: string): { value: Json } | { faults: FileFault[] } {
  const read = parsed(file, text)
  if ('faults' in read) return read
  const scalars = scalarsIn(text)
  const placeOf = placesIn(text)
  const wrong = scalars.flatMap(({ at, written }) => {
    const message = scalarFault(written)
    return message === undefined ? [] : [{ file, ...placeOf(at), message }]
  })
  if (wrong.length > 0) return { faults: wrong }
  // The parser has dates of JavaScript, with milliseconds: texts keep their written form.
  const dates = scalars.filter(({ written }) => isTime(written))
  const whole = dates.length === 0 ? read : parsed(file, quoted(text, dates))
  if ('faults' in whole) return whole
  const value = plain(whole.value)
  const faults = documentFaults(value, '')
  if (faults.length === 0) return { value }
  return {
    faults: faults.map(({ detail, source }) => ({
      file,
      line: 1,
      column: 1,
      message: `${source?.pointer}: ${detail}`,
    })),
  }
}

function parsed(file: string, text: string): { value: unknown } | { faults: FileFault[] } {
  try {
    return { value: parse(text, { maxDepth: 64 }) }
  } catch (error) {
    const { line, column, message } = error as Error & { line?: number; column?: number }
    if (line === undefined || column === undefined) throw error
    return { faults: namingTemplates(text, [{ file, line, column, message: message.split('\n')[0]! }]) }
  }
}

interface Scalar {
  readonly at: number
  readonly written: string
}

/** Scalars of a well-formed TOML text (every value that is no array and no table), as they are written. */
function scalarsIn(text: string): Scalar[] {
  const found: Scalar[] = []
  let at = 0
  const skip = (pattern: RegExp): string => {
    pattern.lastIndex = at
    const [matched = ''] = pattern.exec(text) ?? []
    at += matched.length
    return matched
  }
  /**
   * Advances by at least one character, so that this ends even if its rules differed from those of the parser, which
   * has accepted the text.
   */
  const advance = (step: () => void): void => {
    const from = at
    step()
    if (at === from) at += 1
  }
  const value = (): void => {
    skip(/[ \t]*/y)
    if (text[at] === '[') items(']', value)
    else if (text[at] === '{') items('}', pair)
    else scalar()
  }
  const scalar = (): void => {
    const from = at
    const written = skip(string) || skip(/[^,\]}#\r\n]*/y).trimEnd()
    found.push({ at: from, written })
  }
  const pair = (): void => {
    skip(key)
    at += 1
    value()
  }
  const items = (close: string, item: () => void): void => {
    at += 1
    for (;;) {
      skip(between)
      if (text[at] === close || at >= text.length) break
      advance(item)
    }
    at += 1
  }
  for (;;) {
    skip(between)
    if (at >= text.length) return found
    advance(text[at] === '[' ? () => skip(header) : pair)
  }
}

const string = /"""(?:\\[\s\S]|[^\\])*?"""(?!")|'''[\s\S]*?'''(?!')|"(?:\\.|[^"\\])*"|'[^']*'/y
/** Pattern of a key, up to the equals sign after it. */
const key = /(?:"(?:\\.|[^"\\])*"|'[^']*'|[^="'])*/y
const header = /\[(?:"(?:\\.|[^"\\])*"|'[^']*'|[^\]"'])*\]+/y
const between = /(?:[\s,]|#[^\n]*)*/y

const isTime = (written: string): boolean => /^(?:\d{4}-\d\d-\d\d|\d\d:\d\d)/.test(written)

function scalarFault(written: string): string | undefined {
  if (written.startsWith('"'))
    return /(?<!\\)(?:\\\\)*\\(?:u0000|U00000000|x00)/.test(written) ? 'U+0000 has no place in a text.' : undefined
  if (written.startsWith("'") || written === 'true' || written === 'false') return undefined
  if (isTime(written)) return dateFault(written)
  if (/^[-+]?(?:inf|nan)$/.test(written)) return `JSON has no such number: write "${written}" as a string.`
  // For the other bases the parser has refused numbers that do not fit.
  return /^[-+]?0[xob]/.test(written) ? undefined : numberFault(written.replaceAll('_', ''))
}

function dateFault(written: string): string | undefined {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)/.exec(written) ?? []
  if (day === undefined) return undefined
  const date = new Date(0)
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day))
  const is = date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day)
  return is ? undefined : `There is no ${year}-${month}-${day} in the calendar.`
}

function quoted(text: string, scalars: readonly Scalar[]): string {
  let [result, from] = ['', 0]
  for (const { at, written } of scalars) {
    result += `${text.slice(from, at)}"${written}"`
    from = at + written.length
  }
  return result + text.slice(from)
}

/** Converts parsed TOML to JSON. Keys of tables are data, so a key may have any name (`__proto__` too). */
function plain(value: unknown): Json {
  if (Array.isArray(value)) return value.map(plain)
  if (isObject(value)) return objectOf(Object.entries(value).map(([key, each]) => [key, plain(each)]))
  return value as Json
}
