import type { Data } from './data.ts'
import type { Token } from './leaves.ts'

/** Tokens of a path as people write it, `web.port`, `products[0].name` or `hosts["a.b"]`; undefined if it is malformed. */
export function tokensOfText(text: string): Token[] | undefined {
  const tokens: Token[] = []
  const part = /(?:(?:^|(?<=.)\.)([\w-]+)|\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\])/y
  const trimmed = text.trim()
  while (part.lastIndex < trimmed.length) {
    const [, name, index, quoted] = part.exec(trimmed) ?? []
    if (name !== undefined) tokens.push(name)
    else if (index !== undefined) tokens.push(Number(index))
    else if (quoted !== undefined) tokens.push(JSON.parse(quoted) as string)
    else return undefined
  }
  return tokens.length > 0 ? tokens : undefined
}

/**
 * Document with another value at a path; objects that are missing on the way are made. Undefined if the path leads through
 * a value that has no parts, or to an item behind the end of a list.
 */
export function withValue(document: Data, tokens: readonly Token[], value: unknown): Data | undefined {
  const changed = replaced(document, tokens, value)
  return changed === undefined ? undefined : (changed as Data)
}

function replaced(container: unknown, [token, ...rest]: readonly Token[], value: unknown): unknown {
  if (token === undefined) return value
  if (Array.isArray(container)) return inList(container, token, rest, value)
  if (container !== undefined && (typeof container !== 'object' || container === null)) return undefined
  const object = (container ?? {}) as Record<string, unknown>
  const inner = replaced(Object.hasOwn(object, token) ? object[token] : undefined, rest, value)
  return inner === undefined ? undefined : { ...object, [token]: inner }
}

function inList(list: readonly unknown[], token: Token, rest: readonly Token[], value: unknown): unknown {
  const index = Number(token)
  if (!Number.isInteger(index) || index < 0 || index > list.length) return undefined
  const inner = replaced(list[index], rest, value)
  return inner === undefined ? undefined : [...list.slice(0, index), inner, ...list.slice(index + 1)]
}

/** Name that is proposed for the secret of a property: `database/password`. */
export function secretName(tokens: readonly Token[]): string {
  const names = tokens.map(token => String(token).replaceAll(/[/\s\p{Cc}]+/gu, '-'))
  return (names.length === 1 ? ['properties', ...names] : names).join('/')
}

/** Path and key of a secret, from its name. */
export function placeOfName(name: string): { readonly path: string; readonly key: string } {
  const parts = name.trim().split('/')
  const key = parts.pop() ?? ''
  return { path: parts.join('/'), key }
}
