import type { ActionCatalogue } from '#authoring/actions/action.ts'
import type { Keyring } from '#platform/crypto/index.ts'
import type { Queries } from '#platform/db/database.ts'
import type { RecordEvent } from '#platform/events.ts'
import type { Site } from '#platform/site.ts'
import type { Git } from '../git/index.ts'
import type { CurrentModel } from '../models/index.ts'
import type { Node } from '../nodes/index.ts'
import type { AnswerConverged, ConvergeProperties } from '../properties/index.ts'
import type { Spares } from '../runners/index.ts'
import type { Vaults } from '../secrets/index.ts'
import type { SettingsReader } from '../settings/index.ts'

/** Dependencies of the creation of a change, also of one that retries another. */
export interface CreateChangeParts {
  /** Site at which changes and runs are executed. */
  readonly site: Site
  readonly keyring: Keyring
  readonly git: Git
  readonly settings: SettingsReader
  readonly converge: ConvergeProperties
  /** The currently valid model of an asset, if there is one. */
  readonly model: (queries: Queries, node: Node) => Promise<CurrentModel>
  readonly record: RecordEvent
}

/** Dependencies of changes on the folders to their left; built once, in main. */
export interface ChangeParts extends CreateChangeParts {
  readonly answerConverged: AnswerConverged
  /** Converges for a caller that may wait: reads the property files of a commit if they are not stored yet. */
  readonly convergeReading: ConvergeProperties
  /** The actions of the last model that an asset had at a commit, even if its properties have changed since. */
  readonly lastModelActions: (
    queries: Queries,
    nodeId: string,
    at: { readonly git_remote_id: string; readonly commit_sha: string | null },
  ) => Promise<ActionCatalogue | undefined>
  /** Runners that have no work yet. */
  readonly spares: Pick<Spares, 'ready'>
  readonly vaults: Pick<Vaults, 'read' | 'store' | 'remove' | 'removeBelow'>
  /** Address at which this process answers HTTP, as given to steps. */
  readonly apiUrl: () => string
}
