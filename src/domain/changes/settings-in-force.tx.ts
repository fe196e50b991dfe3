import type { Tx } from '#platform/db/database.ts'
import type { Json, JsonObject } from '#platform/documents/document.ts'
import { Failure, failure } from '#platform/failure.ts'
import type { Node } from '../nodes/index.ts'
import { driverKinds } from '../runners/index.ts'
import { type ConvergedSettings, type SettingsReader, settingsFaults } from '../settings/index.ts'
import { runSettings } from './run-settings.ts'

/**
 * The settings of a change of this node now, with the overrides given for it.
 *
 * @throws Failure (422) with all faults of the overrides; `wrong-state` for a kind of runner that cannot be started
 *   here
 */
export async function settingsInForce(
  settings: SettingsReader,
  tx: Tx,
  node: Node,
  overrides: JsonObject,
): Promise<ConvergedSettings> {
  if (Object.keys(overrides).length > 0) {
    const global = await settings.global(tx)
    const listed = (key: string) => (global.data[`allowed.${key}`] ?? []) as readonly Json[]
    const [first, ...others] = settingsFaults(overrides, 'change', listed, '/data/attributes/settings_overrides')
    if (first) throw new Failure([first, ...others])
  }
  const inForce = await settings.ofNode(tx, node, { change: overrides })
  const kind = runSettings(inForce.data).runnerKind
  if (!driverKinds.includes(kind))
    throw failure('wrong-state', `runner.kind is ${kind} here, and this release starts ${driverKinds.join(', ')} only.`)
  return inForce
}
