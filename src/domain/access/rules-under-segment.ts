import type { Branch } from './decide.ts'

/**
 * What rules say of reading that name this first segment, everything else being allowed; undefined where there are none. The
 * same for the same rules, because statements remember what they have made of it.
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
