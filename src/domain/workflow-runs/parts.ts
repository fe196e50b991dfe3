import type { Keyring } from '#platform/crypto/index.ts'
import type { ChangeParts } from '../changes/index.ts'
import type { ConvergeProperties } from '../properties/index.ts'
import type { SettingsReader } from '../settings/index.ts'
import type { EngineParts } from '../steps/index.ts'

/** Dependencies of workflow runs on the folders to their left; put together once, in main. */
export interface RunParts {
  readonly keyring: Keyring
  readonly settings: SettingsReader
  readonly converge: ConvergeProperties
  readonly engine: EngineParts
  readonly changes: ChangeParts
}
