import type { AnySchema } from './should-be.ts'

const timeForm = /^(\d{4})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,30}))?)?(Z|[+-]\d\d:\d\d)?)?$/

/**
 * An ISO 8601 time in the form that PostgreSQL reads, or undefined. A day is its first instant; a time without an
 * offset is UTC; digits beyond the microsecond, which Go and Java write, are cut: PostgreSQL would round them, possibly
 * up to the next second.
 */
export function readTime(text: string): string | undefined {
  const parts = timeForm.exec(text)
  if (!parts) return undefined
  const [, year, month, day, hour = '00', minute = '00', second = '00', fraction = '0', zone = 'Z'] = parts
  const local = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
  // JavaScript takes the 31st of February for the 3rd of March, and 24:00 for the next day.
  const exists = !Number.isNaN(+local) && local.toISOString().startsWith(`${year}-${month}-${day}T${hour}`)
  if (!exists || (zone !== 'Z' && !/^.(0\d|1[0-5]):[0-5]\d$/.test(zone)) || year === '0000') return undefined
  // It is written back as UTC, where its year needs four digits too: an offset may lead beyond either end.
  const inUtc = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}${zone}`).getUTCFullYear()
  if (inUtc < 1 || inUtc > 9_999) return undefined
  return `${year}-${month}-${day}T${hour}:${minute}:${second}.${fraction.slice(0, 6)}${zone}`
}

/** Cuts the digits beyond the microsecond from a written time. */
export const cutToMicroseconds = (text: string): string => text.replace(/(\.\d{6})\d+/, '$1')

/** Hint for a time whose `+` was not escaped in a URL, where `+` is a space. Empty for any other text. */
export const plusHint = (text: string): string =>
  /\d\d:\d\d(:\d\d(\.\d+)?)? \d\d:?\d\d$/.test(text)
    ? ' In a URL the + of an offset is written %2B; unescaped it is a space.'
    : ''

/** Values of a body with their times cut to the microsecond, wherever the schema declares a text a time. */
export const withTimesCut = <Value>(schema: AnySchema | undefined, value: Value): Value => cutIn(schema, value) as Value

function cutIn(schema: AnySchema | undefined, value: unknown): unknown {
  if (!schema || value === null) return value
  if (schema.anyOf) return schema.anyOf.reduce<unknown>((cut, each) => cutIn(each, cut), value)
  if (typeof value === 'string') return schema.format === 'date-time' ? cutToMicroseconds(value) : value
  if (Array.isArray(value)) return schema.items ? value.map(each => cutIn(schema.items, each)) : value
  if (typeof value !== 'object' || !schema.properties) return value
  const { properties } = schema
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [
      name,
      Object.hasOwn(properties, name) ? cutIn(properties[name], each) : each,
    ]),
  )
}
