import { Failure, type Fault } from '../failure.ts'

/** Parameters by name; `name[]` is always a list, under its name without the brackets. */
export type Query = Readonly<Record<string, string | string[]>>

/**
 * Reads a query string. Percent-encoding that is no UTF-8, U+0000 and a name that comes twice without `[]` are faults:
 * whatever would be guessed there, some caller meant the other thing.
 */
export function parseQueryString(text: string): Query {
  const query: Record<string, string | string[]> = Object.create(null)
  const faults: Fault[] = []
  for (const pair of text.split('&')) {
    if (pair === '') continue
    const at = pair.indexOf('=')
    const written = decode(at < 0 ? pair : pair.slice(0, at))
    const value = at < 0 ? '' : decode(pair.slice(at + 1))
    if (written === undefined || value === undefined) {
      faults.push({ code: 'malformed-query', detail: `"${pair}" is not percent-encoded UTF-8` })
      continue
    }
    const many = written.endsWith('[]')
    const name = many ? written.slice(0, -2) : written
    const known = query[name]
    const fault = wrongWith(name, value, known, many)
    if (fault) faults.push(fault)
    else if (!many) query[name] = value
    else if (Array.isArray(known)) known.push(value)
    else query[name] = [value]
  }
  if (faults.length) throw new Failure(faults as [Fault, ...Fault[]])
  return query
}

function wrongWith(name: string, value: string, known: string | string[] | undefined, many: boolean) {
  const source = { parameter: name.replaceAll('\0', '\\0') }
  if (name.includes('\0') || value.includes('\0')) {
    return { code: 'nul-character', detail: 'U+0000 has no place in a query', source } as const
  }
  if (known !== undefined && (!many || !Array.isArray(known))) {
    return {
      code: 'malformed-query',
      detail: `${name} is given twice; several values are ${name}[]=…`,
      source,
    } as const
  }
  return undefined
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return undefined
  }
}

/** The query again as text, for links, percent-encoded throughout: strict readers of URIs take no bare brackets; `changes` replaces parameters, undefined leaves one out. */
export function queryString(query: Query, changes: Readonly<Record<string, string | undefined>> = {}): string {
  const pairs = Object.entries({ ...query, ...changes }).flatMap(([name, value]) => {
    if (value === undefined) return []
    const key = encodeURIComponent(name)
    return Array.isArray(value)
      ? value.map(each => `${key}%5B%5D=${encodeURIComponent(each)}`)
      : [`${key}=${encodeURIComponent(value)}`]
  })
  return pairs.length ? `?${pairs.join('&')}` : ''
}
