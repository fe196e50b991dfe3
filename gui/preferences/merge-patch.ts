/** Object of JSON members, such as the preferences of a user. */
export type Members = Readonly<Record<string, unknown>>

export const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Applies a merge patch (RFC 7396) as the service does: null removes a member. */
export function mergePatch(before: Members, patch: Members): Members {
  const merged = new Map(Object.entries(before))
  for (const [name, value] of Object.entries(patch)) {
    const old = merged.get(name)
    if (value === null) merged.delete(name)
    else merged.set(name, isMembers(value) ? mergePatch(isMembers(old) ? old : {}, value) : value)
  }
  return Object.fromEntries(merged)
}

/** Merge patch that takes another one back: it restores only the members that the other one names. */
export function inversePatch(before: Members, patch: Members): Members {
  return Object.fromEntries(
    Object.entries(patch).map(([name, value]) => {
      const old = before[name]
      return [name, isMembers(value) && isMembers(old) ? inversePatch(old, value) : (old ?? null)]
    }),
  )
}
