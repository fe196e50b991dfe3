import type { Actor } from '#platform/actor.ts'
import type { Context } from '#platform/commands/command.ts'
import type { Keyring } from '#platform/crypto/index.ts'
import { failure } from '#platform/failure.ts'
import type { Node } from '../nodes/index.ts'
import type { CheckParts } from './check-workflow.tx.ts'
import { aboutVersion, publishVersion } from './publish-version.tx.ts'
import { findVersion, insertDraft, type StoredWorkflow, writeDraft } from './workflow.store.ts'
import { type ReadSource, toReadProperties } from './workflow-source.ts'

export interface WriteParts extends CheckParts {
  readonly keyring: Keyring
  readonly readSource: ReadSource
}

/**
 * Writes a source into the newest draft of a workflow, or into a new one if its newest version is published, and
 * publishes that with `draft: false`. Each is recorded like the command that does only that. Returns whether it did
 * either.
 */
export async function writeVersion(
  parts: WriteParts,
  context: Context,
  { node, workflow }: { readonly node: Node; readonly workflow: StoredWorkflow },
  { source_yaml, draft }: { readonly source_yaml?: string; readonly draft?: boolean },
): Promise<boolean> {
  if (source_yaml === undefined && draft === undefined) return false
  const { tx, actor } = context
  const newest = (await findVersion(parts.keyring, tx, workflow.id, workflow.latest_version))!
  if (newest.published && source_yaml === undefined) {
    if (draft === false) return false
    throw failure('invalid', `Version ${newest.version} is published and stays so: a source makes a new draft.`, {
      source: { pointer: '/data/attributes/draft' },
    })
  }
  const source = source_yaml ?? newest.source
  const isSame = source === newest.source
  if (isSame && (newest.published || draft !== false)) return false
  if (draft === false) refuseWithoutProperties(actor, node, source)
  const written = await parts.readSource(source, actor)
  const version = newest.published ? newest.version + 1 : newest.version
  const versionId = newest.published
    ? await insertDraft(parts.keyring, tx, workflow, { ...written, version }, actor)
    : newest.id
  if (!newest.published && !isSame) await writeDraft(parts.keyring, tx, versionId, written)
  if (!isSame) {
    const type = newest.published ? 'api:workflow_versions:create' : 'api:workflow_versions:update'
    await context.record({ type, actor, ...aboutVersion(workflow, version, node) })
  }
  const { parsed } = written
  if (draft === false) await publishVersion(parts, context, { node, workflow, versionId, version, parsed })
  return true
}

/**
 * Refuses to publish a draft that is not in the request if the caller may not read the properties in it: its content is
 * only known here.
 */
function refuseWithoutProperties(actor: Actor, node: Node, source: string): void {
  const missing = toReadProperties(node, source).find(({ right, path }) => !actor.rights.may(right, path))
  if (missing) throw failure('forbidden', `${actor.username} may not ${missing.right} ${missing.path}.`)
}
