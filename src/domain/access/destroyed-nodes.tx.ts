import type { Context } from '#platform/commands/command.ts'
import type { Extends } from '#platform/domain.ts'
import { nodeTypes } from '../nodes/index.ts'
import { lockRulesAboutNodes } from './policy.store.ts'
import { aboutRule, deleteRules } from './rule.commands.ts'

/**
 * Deletes the rules about a destroyed node: its code can be used again, and users with rights there must have none on a
 * new node at the same path.
 */
async function deleteRulesOfNodes(context: Context, ids: readonly string[]): Promise<void> {
  const { tx, actor } = context
  const gone = await lockRulesAboutNodes(tx, ids)
  await deleteRules(
    context,
    gone.map(({ id }) => id),
  )
  for (const rule of gone) {
    const { source, attributes } = aboutRule(rule.id, rule)
    await context.record({
      type: 'api:authorisation_rules:destroy',
      actor,
      source,
      attributes: { ...attributes, forced: true },
    })
  }
}

export const ofDestroyedNodes: Readonly<Record<string, Extends>> = Object.fromEntries(
  nodeTypes.map(type => [type, { onDestroy: deleteRulesOfNodes }]),
)
