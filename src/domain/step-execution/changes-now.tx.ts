import type { Tx } from '#platform/db/database.ts'
import type { Sql } from '#platform/db/sql.ts'
import { failure } from '#platform/failure.ts'
import { WeightedCache } from '#platform/weighted-cache.ts'
import {
  type ChangeNow,
  convergedOfChange,
  findChange,
  modelActionsOfChange,
  modelOfChange,
  resolvedSettings,
  type StoredChange,
} from '../changes/index.ts'
import { findNodeById } from '../nodes/index.ts'
import { templateOfVersion } from '../templates/index.ts'
import { askVersions, type VersionParts, versionsOfChange, versionsOfRow } from './change-versions.store.ts'
import type { StepExecutionParts } from './parts.port.ts'

type OpenParts = VersionParts & Pick<StepExecutionParts, 'keyring' | 'converge' | 'model' | 'lastModelActions'>

/** A change with its decrypted documents, and the versions of everything that they were built from. */
interface Opened {
  readonly owners: readonly string[]
  readonly versions: string
  readonly now: ChangeNow
}

/**
 * Limits of cached changes: as many as can run at once, with 32 MiB of documents as text: in memory they are several
 * times as large, and 256 changes of assets with 100,000 properties each would fill any heap.
 */
const mostKept = { entries: 256, weight: 32 * 1024 * 1024 }

const textBytes = ({ now }: Opened): number => now.converged.layers.reduce((sum, { text }) => sum + text.size, 0)

/** Current changes, cached in this process. */
export interface ChangesNow {
  /** `versions`: result of `versionsOf` in the same transaction, if it was read. */
  read(tx: Tx, id: string, versions?: string): Promise<ChangeNow>
  /**
   * Expression: the versions of everything that the change's documents are built from. Undefined if they are not
   * cached.
   */
  versionsOf(id: string): Sql<string> | undefined
  /** Versions for the changes in a statement's rows, by the result of `ownersOf` for each. */
  readonly versions: (id: Sql, owners: Sql) => Sql<string>
  /** Owners of the documents that a change sees, for `versions`. Undefined where they are not cached. */
  ownersOf(id: string): string | undefined
  /** The cached change, if these are still its versions. */
  ifStill(id: string, versions: string): ChangeNow | undefined
}

/**
 * Reads changes with their documents for the steps that start in them. Reading what a step sees takes eight statements
 * and a decryption of each document, and usually none of forty steps in a row has changed anything: so it is cached,
 * and its versions show whether it is still current. References to secrets are cached as references.
 */
export function changesNow(parts: OpenParts): ChangesNow {
  const kept = new WeightedCache<Opened>(mostKept)
  return {
    versionsOf: id => {
      const known = kept.get(id)
      return known && versionsOfChange(parts, id, known.owners)
    },
    versions: (id, owners) => versionsOfRow(parts, id, owners),
    ownersOf: id => kept.get(id)?.owners.join(' '),
    ifStill: (id, versions) => {
      const known = kept.get(id)
      return known?.versions === versions ? known.now : undefined
    },
    read: async (tx, id, versions) => {
      const known = kept.get(id)
      kept.delete(id)
      const newest = known && (versions ?? (await askVersions(parts, tx, id, known.owners)))
      const opened = known && newest === known.versions ? known : await open(parts, tx, id)
      if (opened.owners.length > 0) kept.set(id, opened, textBytes(opened))
      return opened.now
    },
  }
}

async function open(parts: OpenParts, tx: Tx, id: string): Promise<Opened> {
  const change = (await findChange(tx, id))!
  const [node, template] = await Promise.all([
    findNodeById(tx, change.node_id),
    change.template_version_id ? templateOfVersion(tx, change.template_version_id) : undefined,
  ])
  if (!node) throw failure('missing', `${change.path} has been destroyed.`)
  const owners = ownersOf(change, node, template)
  const [versions, converged] = await Promise.all([
    // Read before the documents: one that is written in between then counts as unknown, not as known.
    owners.length > 0 ? askVersions(parts, tx, id, owners) : '',
    convergedOfChange(parts, tx, change, node),
  ])
  const model = await modelOfChange(parts, tx, change, node)
  const now = {
    change,
    settings: resolvedSettings(parts.keyring, change),
    converged,
    model: model.state === 'valid' ? model.data() : null,
    modelActions: await modelActionsOfChange(parts, tx, change, model),
  }
  return { owners, versions, now }
}

/**
 * Owners of all documents that the change's steps see; none when the set may change by itself, with another template.
 */
function ownersOf(
  change: StoredChange,
  node: { node_type: string; environment_id: string | null },
  template: { id: string } | undefined,
): string[] {
  const line = [change.project_id, ...(node.environment_id ? [node.environment_id] : []), change.node_id]
  if (node.node_type === 'project' || node.node_type === 'environment') return line
  return template && change.template_version_id ? [...line, template.id, change.template_version_id] : []
}
