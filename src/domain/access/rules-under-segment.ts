import type { Branch } from './decide.ts'

/**
 * Rules for reading under this first segment, with everything else allowed; undefined if there are none. Returns the
 * same object for the same rules, because statements are cached by it.
 */
export function rulesUnderSegment(root: Branch, first: string): Branch | undefined {
  const named = root.literal.get(first)
  if (!named) return undefined
  const known = ofRoot.get(root) ?? new Map<string, Branch>()
  ofRoot.set(root, known)
  const alone = known.get(first) ?? {
    path: '/',
    says: { read: true },
    rules: [],
    literal: new Map([[first, named]]),
    star: undefined,
  }
  known.set(first, alone)
  return alone
}

const ofRoot = new WeakMap<Branch, Map<string, Branch>>()
