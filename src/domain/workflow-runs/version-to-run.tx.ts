import { resolveWorkflow } from '#authoring/workflows/resolve-workflow.ts'
import type { WorkflowStep } from '#authoring/workflows/workflow-tree.ts'
import type { Keyring } from '#platform/crypto/index.ts'
import type { Tx } from '#platform/db/database.ts'
import type { JsonObject } from '#platform/documents/document.ts'
import { Failure, type Fault, failure } from '#platform/failure.ts'
import type { Node } from '../nodes/index.ts'
import { type ConvergeProperties, mergeLayers } from '../properties/index.ts'
import { findRunnableVersion, hasWorkflow, type RunnableVersion } from '../workflows/index.ts'
import { type RunTree, runTree } from './run-tree.ts'

/**
 * The version of a workflow of a project to run; it cannot be archived until the transaction ends.
 *
 * @param asked default: the latest published version
 * @throws Failure `missing` without such a workflow, `wrong-state` without a published version, `invalid` without the
 *   requested one, `archived`
 */
export async function versionToRun(
  keyring: Keyring,
  tx: Tx,
  project: Node,
  asked: { readonly workflow: string; readonly version?: number },
): Promise<RunnableVersion> {
  const found = await findRunnableVersion(keyring, tx, project.id, asked.workflow, asked.version)
  if (!found && !(await hasWorkflow(tx, project.id, asked.workflow)))
    throw failure('missing', `The project has no workflow ${asked.workflow}.`)
  if (!found) throw noSuchVersion(asked)
  if (found.archived) throw failure('archived', `The workflow ${found.code} is archived: it takes no new run.`)
  return found
}

/**
 * The tree of a version, with the current properties under a run's overrides.
 *
 * @throws Failure `invalid` with every value that does not resolve, or for a mask that skips everything
 */
export async function treeOfVersion(
  converge: ConvergeProperties,
  tx: Tx,
  project: Node,
  found: RunnableVersion,
  given: { readonly propertyOverrides: JsonObject; readonly skipSteps: readonly string[] },
): Promise<RunTree> {
  const { data } = await converge(tx, project)
  const steps = resolved(found, project, mergeLayers([{ data }, { data: given.propertyOverrides }]))
  const tree = runTree(found.name, steps, given.skipSteps)
  if (!tree) throw nothingLeft(found.name)
  return tree
}

/** 422: a mask that names the root. */
export const nothingLeft = (name: string): Failure =>
  failure('invalid', `skip_steps would skip ${name}, which is the whole run.`, {
    source: { pointer: '/data/attributes/skip_steps' },
  })

/** @throws Failure `invalid` with each value that does not resolve, and its place in the source */
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

const noSuchVersion = ({ workflow, version }: { workflow: string; version?: number }) =>
  version === undefined
    ? failure('wrong-state', `The workflow ${workflow} has no published version: publish one, and run it then.`)
    : failure('invalid', `The workflow ${workflow} has no published version ${version}.`, {
        source: { pointer: '/data/attributes/version' },
      })
