import type { Context } from '#platform/commands/command.ts'
import type { JsonObject } from '#platform/documents/document.ts'
import { Failure, type Fault, failure } from '#platform/failure.ts'
import { capabilitiesOf, eventNode, holdUnarchived, type Node } from '../nodes/index.ts'
import { checkProperties, mergeLayers } from '../properties/index.ts'
import { insertTree, makeReady } from '../steps/index.ts'
import {
  findRunnableVersion,
  markRun,
  type RunnableVersion,
  resolveWorkflow,
  type WorkflowStep,
} from '../workflows/index.ts'
import type { RunParts } from './parts.ts'
import { insertMakings, insertRun } from './run.store.ts'
import { runPath } from './run.ts'
import { createRunActivity, type RunMadeBy } from './run-activity.ts'
import { runTree } from './run-tree.ts'

/** What somebody may ask of a new run. */
export interface NewRun {
  /** Code of a workflow of the project. */
  readonly workflow: string
  /** A published version; without one the latest published. */
  readonly version?: number
  readonly property_overrides?: JsonObject
  readonly metadata?: JsonObject
  /** Globs on the names of steps. */
  readonly skip_steps?: readonly string[]
  readonly notify?: JsonObject
  /** It does not start before (ISO 8601). */
  readonly run_at?: string
}

export interface MadeRun {
  readonly id: string
  /** Code of the workflow, as it was given to it. */
  readonly code: string
}

/**
 * Makes a run of a workflow of a project in the name of the context's actor: the tree of the version, with the properties
 * as they are under the run's overrides, stands at once (execution.md 6). The caller has asked for the right and records
 * the event.
 *
 * @throws Failure `missing` without such a workflow, `wrong-state` without a published version, `invalid` with every
 *   value that does not resolve
 */
export async function createRun(
  parts: RunParts,
  { tx, actor }: Pick<Context, 'tx' | 'actor'>,
  project: Node,
  given: NewRun,
  by: RunMadeBy = {},
): Promise<MadeRun> {
  const refused = refusal(project)
  if (refused) throw refused
  await holdUnarchived(tx, project)
  const overrides = given.property_overrides ?? {}
  checkProperties(overrides, project.path, '/data/attributes/property_overrides')
  const found = await findRunnableVersion(parts.keyring, tx, project.id, given.workflow, given.version)
  if (!found) throw noSuchVersion(given)
  if (found.archived) throw failure('archived', `The workflow ${found.code} is archived: it takes no new run.`)
  const tree = await treeOf(parts, tx, project, found, given)
  const id = await createRunActivity(parts, { tx, actor }, project, { code: found.code, runAt: given.run_at, by })
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

/** Only projects that have workflows run them. */
export const refusal = (project: Node) =>
  capabilitiesOf(project).can_have_workflows
    ? undefined
    : failure('not-supported-here', 'A Standard project has no workflows, and so no runs of them.')

async function treeOf(
  parts: RunParts,
  tx: Context['tx'],
  project: Node,
  found: RunnableVersion,
  { property_overrides = {}, skip_steps = [] }: NewRun,
) {
  const { data } = await parts.converge(tx, project)
  const steps = resolved(found, project, mergeLayers([{ data }, { data: property_overrides }]))
  const tree = runTree(found.name, steps, skip_steps)
  if (!tree)
    throw failure('invalid', `skip_steps would skip ${found.name}, which is the whole run.`, {
      source: { pointer: '/data/attributes/skip_steps' },
    })
  return tree
}

/** @throws Failure `invalid` with each value that does not resolve, and where it stands in the source */
function resolved(found: RunnableVersion, project: Node, properties: JsonObject): readonly WorkflowStep[] {
  const outcome = resolveWorkflow(found.steps, { properties, projectPath: project.path })
  if ('steps' in outcome) return outcome.steps
  const faults = outcome.errors.map(
    ({ line, column, message, pointer }): Fault => ({
      code: 'invalid',
      detail: `Version ${found.version} of ${found.code}, line ${line}: ${message}`,
      meta: { line, column, workflow_pointer: pointer },
    }),
  )
  throw new Failure(faults as [Fault, ...Fault[]])
}

const noSuchVersion = ({ workflow, version }: NewRun) =>
  version === undefined
    ? failure('wrong-state', `The workflow ${workflow} has no published version: publish one, and run it then.`)
    : failure('invalid', `The workflow ${workflow} has no published version ${version}.`, {
        source: { pointer: '/data/attributes/version' },
      })

/** What the event of a command says of its run. */
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
