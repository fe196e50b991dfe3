import { isSecret } from '../../api/secret-reference.ts'
import { pointerOf, tokensOf } from './leaves.ts'

/** Value of a document that differs from another version of it. */
export interface ChangedValue {
  readonly pointer: string
  readonly tokens: readonly string[]
  readonly kind: 'added' | 'removed' | 'changed'
  /** Values of the two versions; undefined where there is none. */
  readonly before: unknown
  readonly after: unknown
  /** Whether it is a secret, or differs in a part that is not shown. */
  readonly isHidden: boolean
}

/** Values of a document that differ from another, objects key by key; everything else as a whole, lists too. */
export function changedPointers(before: unknown, after: unknown): string[] {
  const pointers: string[] = []
  const compare = (old: unknown, now: unknown, tokens: readonly string[]): void => {
    if (!isObject(old) || !isObject(now)) {
      if (!isSame(old, now)) pointers.push(pointerOf(tokens))
      return
    }
    for (const key of new Set([...Object.keys(old), ...Object.keys(now)]))
      if (Object.hasOwn(old, key) && Object.hasOwn(now, key)) compare(old[key], now[key], [...tokens, key])
      else pointers.push(pointerOf([...tokens, key]))
  }
  compare(before, after, [])
  return pointers
}

/** The values at pointers in two versions of a document, in which secrets are hidden. */
export const changedValues = (before: unknown, after: unknown, pointers: readonly string[]): ChangedValue[] =>
  pointers.map(pointer => {
    const tokens = tokensOf(pointer)
    const [old, now] = [valueAt(before, tokens), valueAt(after, tokens)]
    return {
      pointer,
      tokens,
      kind: old === undefined ? 'added' : now === undefined ? 'removed' : 'changed',
      before: old,
      after: now,
      isHidden: [old, now].some(isHiddenText) || isSame(old, now),
    }
  })

/** Pointers that another list of pointers concerns too: the same value, one around it, or one within it. */
export function inBoth(pointers: readonly string[], others: readonly string[]): Set<string> {
  const [all, above] = [new Set(others), new Set(others.flatMap(prefixes))]
  return new Set(pointers.filter(each => above.has(each) || prefixes(each).some(prefix => all.has(prefix))))
}

/** A pointer and the pointers of all containers around it, but for the whole document. */
const prefixes = (pointer: string): string[] => {
  const tokens = tokensOf(pointer)
  return tokens.map((_, i) => pointerOf(tokens.slice(0, i + 1)))
}

function valueAt(document: unknown, tokens: readonly string[]): unknown {
  let value = document
  for (const token of tokens)
    value =
      (isObject(value) || Array.isArray(value)) && Object.hasOwn(value, token) ? Reflect.get(value, token) : undefined
  return value
}

/** Equal as JSON, in whatever order the keys are. */
export function isSame(a: unknown, b: unknown): boolean {
  if (Array.isArray(a)) return Array.isArray(b) && a.length === b.length && a.every((each, i) => isSame(each, b[i]))
  if (!isObject(a) || !isObject(b)) return a === b
  const keys = Object.keys(a)
  return keys.length === Object.keys(b).length && keys.every(key => Object.hasOwn(b, key) && isSame(a[key], b[key]))
}

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A reference to a secret, or what the API shows in place of one. */
export const isHiddenText = (value: unknown): boolean => isSecret(value) || value === '{{hidden}}'
