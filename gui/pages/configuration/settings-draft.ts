import type { Fault } from '#client/sluice.ts'

type Settings = Readonly<Record<string, unknown>>

/** The changes of a draft applied to another version: what the draft set or removed is kept, the rest is theirs. */
export function rebased(draft: Settings, base: Settings, theirs: Settings): Settings {
  const names = new Set([...Object.keys(base), ...Object.keys(draft)])
  const touched = [...names].filter(name => JSON.stringify(draft[name]) !== JSON.stringify(base[name]))
  const result: Record<string, unknown> = { ...theirs }
  for (const name of touched)
    if (Object.hasOwn(draft, name)) result[name] = draft[name]
    else delete result[name]
  return result
}

/** Errors by the names of the settings that they concern. */
export function settingErrors(faults: readonly Fault[]): Record<string, string> {
  const errors: Record<string, string> = {}
  for (const { source, detail, title } of faults) {
    const [, token] = /^\/data\/attributes\/data\/([^/]+)/.exec(source?.pointer ?? '') ?? []
    if (token === undefined) continue
    const name = token.replaceAll('~1', '/').replaceAll('~0', '~')
    errors[name] = [errors[name], detail ?? title].filter(Boolean).join(' ')
  }
  return errors
}
