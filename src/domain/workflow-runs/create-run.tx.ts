import type { Context } from '#platform/commands/command.ts'
import type { JsonObject } from '#platform/documents/document.ts'
import { failure } from '#platform/failure.ts'
import { capabilitiesOf, eventNode, lockUnarchived, type Node } from '../nodes/index.ts'
import { checkProperties } from '../properties/index.ts'
import { insertTree, makeReady } from '../steps/index.ts'
import { markRun } from '../workflows/index.ts'
import { insertMakings } from './making.store.ts'
import type { CreateRunParts } from './parts.port.ts'
import { insertRun } from './run.store.ts'
import { runPath } from './run.ts'
import { createRunActivity, type RunCreator } from './run-activity.ts'
import { treeOfVersion, versionToRun } from './version-to-run.tx.ts'

/** Attributes of a request for a run. */
export interface NewRun {
  /** Code of a workflow of the project. */
  readonly workflow: string
  /** A published version; default: the latest published. */
  readonly version?: number
  readonly property_overrides?: JsonObject
  readonly metadata?: JsonObject
  /** Globs on the names of steps. */
  readonly skip_steps?: readonly string[]
  readonly notify?: JsonObject
  /** Earliest start (ISO 8601). */
  readonly run_at?: string
}

export interface CreatedRun {
  readonly id: string
  /** Code of the workflow as given by the caller. */
  readonly code: string
}

/**
 * Creates a run of a workflow of a project in the name of the context's actor: the tree of the version is created at
 * once, with the current properties under the run's overrides. The caller has checked the right and records the event.
 *
 * @throws Failure `missing` without such a workflow, `wrong-state` without a published version, `invalid` with every
 *   value that does not resolve
 */
export async function createRun(
  parts: CreateRunParts,
  { tx, actor }: Pick<Context, 'tx' | 'actor'>,
  project: Node,
  given: NewRun,
  by: RunCreator = {},
): Promise<CreatedRun> {
  const refused = refusal(project)
  if (refused) throw refused
  await lockUnarchived(tx, project)
  const found = await versionToRun(parts.keyring, tx, project, given)
  // After checks of the current project and workflow: 409 goes before 422.
  const overrides = given.property_overrides ?? {}
  checkProperties(overrides, project.path, '/data/attributes/property_overrides')
  const tree = await treeOfVersion(parts.converge, tx, project, found, {
    propertyOverrides: overrides,
    skipSteps: given.skip_steps ?? [],
  })
  const id = await createRunActivity(parts, { tx, actor }, project, {
    code: found.code,
    runAt: given.run_at,
    by,
    scopeProjectId: found.scopeProjectId,
  })
  await insertRun(tx, parts.keyring, {
    id,
    workflowId: found.workflowId,
    versionId: found.versionId,
    code: found.code,
    version: found.version,
    name: found.name,
    metadata: given.metadata ?? {},
    skipSteps: given.skip_steps ?? [],
    propertyOverrides: overrides,
    notify: given.notify ?? null,
    depth: by.step?.depth ?? 0,
    scheduledActivityId: by.scheduledActivityId ?? null,
  })
  await insertTree(tx, parts.keyring, id, tree.root)
  await insertMakings(tx, parts.keyring, id, tree.makings)
  await markRun(tx, found.workflowId)
  await makeReady(tx, id)
  return { id, code: found.code }
}

/** Refusal of runs in a project of a type without workflows. */
export const refusal = (project: Node) =>
  capabilitiesOf(project).can_have_workflows
    ? undefined
    : failure('not-supported-here', 'A Standard project has no workflows, and so no runs of them.')

/** Event attributes of a run. */
export const aboutRun = (id: string, project: Node, code: string) => ({
  source: { type: 'workflow_run', id },
  node: eventNode(project),
  activityId: id,
  attributes: { name: code },
})

/** The right to run it. */
export const needsOfRun = (project: Pick<Node, 'path'>, code: string) => ({
  right: 'execute' as const,
  path: runPath(project.path, code),
})
