import { isSecret } from '../../api/secret-reference.ts'

/** Property that differs between two documents; undefined where it is absent. */
export interface PropertyDifference {
  /** `web.port` */
  readonly name: string
  readonly before: unknown
  readonly after: unknown
}

/** Longest text of a value. */
const longest = 120

/** Value in one line, references to secrets as dots; undefined for one that is absent. */
export function differenceText(value: unknown): string | undefined {
  if (value === undefined) return undefined
  const shown = hidden(value)
  const text = typeof shown === 'string' ? shown : JSON.stringify(shown)
  return text.length > longest ? `${text.slice(0, longest - 1)}…` : text
}

/** `web.port` for `/web/port` */
export const nameOfPointer = (pointer: string): string =>
  pointer
    .split('/')
    .slice(1)
    .map(part => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .join('.')

function hidden(value: unknown): unknown {
  if (isSecret(value)) return '••••••'
  if (Array.isArray(value)) return value.map(hidden)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, hidden(each)]))
}
