import type { Context } from '#platform/commands/command.ts'
import { sql } from '#platform/db/sql.ts'
import type { Extends } from '#platform/domain.ts'
import { nodeTypes } from '../nodes/index.ts'
import { aboutRule } from './rule.commands.ts'

/**
 * Rules about a node go with it when it is destroyed: its code is free then, and whoever had rights there must have none
 * on another node that is given the same path.
 */
async function forgetRules(context: Context, ids: readonly string[]): Promise<void> {
  const { tx, actor } = context
  const gone = await tx.rows(sql<{ id: string; path: string }>`
    delete from authorisation_rules r
     using nodes n
     where n.id = any(${ids}::uuid[])
       and (r.path = n.path or (r.path >= n.path || '/' and r.path < n.path || '0'))
    returning r.id, r.path`)
  for (const { id, path } of gone) {
    const { source, attributes } = aboutRule(id, path)
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
