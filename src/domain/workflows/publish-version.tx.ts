import type { ParsedWorkflow } from '#authoring/workflows/read-workflow.ts'
import type { Context } from '#platform/commands/command.ts'
import { failure } from '#platform/failure.ts'
import { eventNode, type Node } from '../nodes/index.ts'
import { type CheckParts, checkWorkflow } from './check-workflow.tx.ts'
import { lockPublishing } from './nested-workflows.tx.ts'
import { publish, type StoredWorkflow } from './workflow.store.ts'

export interface ToPublish {
  readonly node: Node
  readonly workflow: Pick<StoredWorkflow, 'id' | 'code' | 'name'>
  readonly versionId: string
  readonly version: number
  readonly parsed: ParsedWorkflow
}

/**
 * Publishes a version: from now on it can run and never changes. Recorded as a separate event, whichever command does
 * it.
 *
 * @throws Failure (422) with all of its faults
 */
export async function publishVersion(
  parts: CheckParts,
  context: Context,
  { node, workflow, versionId, version, parsed }: ToPublish,
): Promise<void> {
  const { tx, actor } = context
  await lockPublishing(tx, node.id)
  const { nested } = await checkWorkflow(parts, tx, { project: node, actor, parsed, own: workflow.code })
  if ((await publish(tx, workflow.id, versionId, nested, actor)) === 0)
    throw failure('wrong-state', `Version ${version} is published already.`)
  await context.record({ type: 'api:workflows:publish', actor, ...aboutVersion(workflow, version, node) })
}

export const aboutVersion = (workflow: Pick<StoredWorkflow, 'id' | 'code' | 'name'>, version: number, node: Node) => ({
  source: { type: 'workflow', id: workflow.id },
  node: eventNode(node),
  attributes: { name: workflow.name, workflow_code: workflow.code, version },
})
