import type { Context } from '#platform/commands/command.ts'
import { sql } from '#platform/db/sql.ts'
import type { Extends } from '#platform/domain.ts'
import { nodeTypes } from '../nodes/index.ts'
import type { StoredRule } from './policy.store.ts'
import { aboutRule, deleteRules } from './rule.commands.ts'

/**
 * Deletes the rules about a destroyed node: its code is free then, and users with rights there must have none on
 * another node that is given the same path.
 */
async function forgetRules(context: Context, ids: readonly string[]): Promise<void> {
  const { tx, actor } = context
  const gone = await tx.rows(sql<StoredRule>`
    select r.id, r.path, r.name, r.read, r.update, r.execute, r.delete, r.row_version
      from authorisation_rules r
      join nodes n on r.path = n.path or (r.path >= n.path || '/' and r.path < n.path || '0')
     where n.id = any(${ids}::uuid[])
       for update of r`)
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
  nodeTypes.map(type => [type, { onDestroy: forgetRules }]),
)
