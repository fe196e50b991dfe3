import type { Tx } from '#platform/db/database.ts'
import type { Json, JsonObject } from '#platform/documents/document.ts'
import { objectOf } from '#platform/documents/document.ts'
import type { Node } from '../nodes/index.ts'
import { type ConvergedSettings, type SettingsReader, settingsFaults } from '../settings/index.ts'
import type { StoredChange } from './change.store.ts'
import { settingsOfChange, settingsOverridesOf } from './change-context.tx.ts'
import type { ChangeParts } from './parts.port.ts'
import { settingsInForce } from './settings-in-force.tx.ts'

/** Settings of which a retry uses the current values: those about where it runs, and who has to approve it. */
export const resolvedAnew: ReadonlySet<string> = new Set([
  'runner.kind',
  'runner.image',
  'runner.node_selector',
  'runner.resources',
  'runner.sandbox',
  'runner.silence_seconds',
  'requires_approval_from',
])

export interface RetriedSettings {
  readonly overrides: JsonObject
  readonly resolved: ConvergedSettings
  /** Overrides of the original that are no longer valid: they were left out. */
  readonly dropped: readonly string[]
}

/**
 * The settings of a retry: those of the original, except for those that are resolved again, did not exist then, or are
 * overridden now or were then.
 *
 * @throws Failure (422) for invalid overrides
 */
export async function retriedSettings(
  { keyring, settings }: Pick<ChangeParts, 'keyring' | 'settings'>,
  tx: Tx,
  { node, original, given }: { node: Node; original: StoredChange; given: JsonObject | undefined },
): Promise<RetriedSettings> {
  const before = settingsOverridesOf(keyring, original)
  const dropped = given ? [] : await notValid(settings, tx, before)
  const overrides = given ?? objectOf(Object.entries(before).filter(([key]) => !dropped.includes(key)))
  const now = await settingsInForce(settings, tx, node, overrides)
  const then = settingsOfChange(keyring, original)
  const stays = (key: string) =>
    Object.hasOwn(then.data, key) &&
    !resolvedAnew.has(key) &&
    !Object.hasOwn(before, key) &&
    !Object.hasOwn(overrides, key)
  // A setting that was and still is overridden has the same value either way.
  const from = (key: string) => (stays(key) ? then : now)
  const keys = Object.keys(now.data)
  const data = objectOf(keys.map(key => [key, from(key).data[key] as Json] as const))
  const sources = Object.fromEntries(keys.map(key => [key, from(key).sources[key]!]))
  return { overrides, resolved: { data, sources }, dropped }
}

async function notValid(settings: SettingsReader, tx: Tx, overrides: JsonObject): Promise<string[]> {
  const global = await settings.global(tx)
  const listed = (key: string) => (global.data[`allowed.${key}`] ?? []) as readonly Json[]
  return Object.entries(overrides).flatMap(([key, value]) =>
    settingsFaults({ [key]: value }, 'change', listed).length > 0 ? [key] : [],
  )
}
