import type { Tx } from '#platform/db/database.ts'
import { sql } from '#platform/db/sql.ts'
import { failure } from '#platform/failure.ts'
import { findNodeById } from '../nodes/index.ts'
import { templateOfVersion } from '../templates/index.ts'
import { findChange, type StoredChange } from './change.store.ts'
import { type ChangeNow, convergedOfChange, resolvedSettings } from './change-context.ts'
import type { ChangeParts } from './parts.ts'

/** A change whose documents were opened, and what they were: the versions of all that they came from. */
interface Opened {
  readonly owners: readonly string[]
  readonly versions: string
  readonly now: ChangeNow
}

/** As many changes are kept as may well run at once. */
const mostKept = 256

/**
 * Reads changes with their documents for the steps that start in them. To gather and open what a step sees takes eight
 * statements and a decryption of each document, and of forty steps in a row mostly none has changed anything: what was
 * opened is kept, and one statement asks whether it still stands. References to secrets are kept as references.
 */
export function changesNow(parts: ChangeParts): (tx: Tx, id: string) => Promise<ChangeNow> {
  const kept = new Map<string, Opened>()
  return async (tx, id) => {
    const known = kept.get(id)
    kept.delete(id)
    const opened =
      known && (await versionsOf(parts, tx, id, known.owners)) === known.versions ? known : await open(parts, tx, id)
    if (opened.owners.length > 0) kept.set(id, opened)
    for (const oldest of kept.keys()) {
      if (kept.size <= mostKept) break
      kept.delete(oldest)
    }
    return opened.now
  }
}

async function open(parts: ChangeParts, tx: Tx, id: string): Promise<Opened> {
  const change = (await findChange(tx, id))!
  const node = await findNodeById(tx, change.node_id)
  if (!node) throw failure('missing', `${change.path} has been destroyed.`)
  const owners = await ownersOf(tx, change, node)
  // Asked before the documents are read: one that is written in between is then taken for unknown, not for known.
  const versions = owners.length > 0 ? await versionsOf(parts, tx, id, owners) : ''
  const converged = await convergedOfChange(parts, tx, change, node)
  return { owners, versions, now: { change, settings: resolvedSettings(parts, change), converged } }
}

/** Everyone whose documents the change's steps see; nobody when that may become another template's by itself. */
async function ownersOf(
  tx: Tx,
  change: StoredChange,
  node: { node_type: string; environment_id: string | null },
): Promise<string[]> {
  const line = [change.project_id, ...(node.environment_id ? [node.environment_id] : []), change.node_id]
  if (node.node_type === 'project' || node.node_type === 'environment') return line
  if (!change.template_version_id) return []
  const template = await templateOfVersion(tx, change.template_version_id)
  return template ? [...line, template.id, change.template_version_id] : []
}

/** The change's own document is named by the transaction that wrote it: its number is given out again after a rollback. */
async function versionsOf(parts: ChangeParts, tx: Tx, id: string, owners: readonly string[]): Promise<string> {
  const { versions } = (await tx.one(sql<{ versions: string }>`
    select concat_ws('/', c.xmin, c.property_overrides_version, ${parts.propertyVersions(owners)},
                     ${parts.settings.versions(owners)}) as versions
      from changes c
     where c.id = ${id}::uuid`))!
  return versions
}
