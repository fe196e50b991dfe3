import type { Keyring } from '#platform/crypto/index.ts'
import type { Site } from '#platform/site.ts'
import type { MakeChange, MakeRetry, PlanMadeRetry } from '../changes/index.ts'
import type { ConvergeProperties } from '../properties/index.ts'
import type { SettingsReader } from '../settings/index.ts'

/** Dependencies of the creation of a run, also of one that retries another. */
export interface CreateRunParts {
  /** Site at which runs are executed. */
  readonly site: Site
  readonly keyring: Keyring
  readonly settings: SettingsReader
  readonly converge: ConvergeProperties
}

/** Dependencies of the plan of a run. */
export interface PlanRunParts extends CreateRunParts {
  readonly planRetry: PlanMadeRetry
}

/** Dependencies of workflow runs on the folders to their left; put together once, in main. */
export interface RunParts extends PlanRunParts {
  readonly makeChange: MakeChange
  readonly makeRetry: MakeRetry
}
