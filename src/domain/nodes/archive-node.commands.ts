import Type from 'typebox'
import { type AnyCommand, type Context, command, done, type Request, unchanged } from '#platform/commands/command.ts'
import { type Domain, type Extends, extensionsOf } from '#platform/domain.ts'
import { failure, missing } from '#platform/failure.ts'
import { inUse } from './archive-blockers.ts'
import { deleteDestroyedJob } from './destroyed.jobs.ts'
import { activeChildren, lockNode, markDestroyed, updateNode } from './node.store.ts'
import { collections, type Node, type NodeType, nodeTypes, pathsOfOne } from './node.ts'
import { aboutNode, article, type FoundNode, findOne, subject } from './node-aspects.tx.ts'

/** DELETE of a node: archives it, or with `ignore_in_use` destroys it with all of its descendants. */
export function archiveNode(type: NodeType, others: readonly Domain[]): AnyCommand {
  const { name: collection } = collections[type]
  return command<never, FoundNode>({
    name: `${collection}.archive`,
    summary: `Archives ${article(type)}; by force, destroys it with everything below it.`,
    method: 'DELETE',
    paths: pathsOfOne(type).map(path => `/api${path}`),
    status: 204,
    event: `api:${subject(type)}:destroy`,
    eventBody: [],
    parameters: {
      ignore_in_use: {
        schema: Type.Boolean(),
        describe: 'Destroys it even if it is in use, with everything below it. Superusers only.',
      },
    },
    find: findOne(type),
    needs: ({ path }, request, { rights }) => {
      if (!isForced(request)) return [{ right: 'update', path }]
      if (!rights.superuser) throw failure('forbidden', 'Only a superuser may use ignore_in_use.')
      return [{ right: 'delete', path }]
    },
    run: async (context, node, request) => {
      // Transactions that create something below it lock it too: their records are visible to the next statement.
      const now = await lockNode(context.tx, node.id)
      if (!now) throw missing()
      context.requireMatch(now.row_version)
      if (isForced(request)) return destroy(context, { ...node, name: now.name }, others)
      if (now.archived) return unchanged()
      await refuseInUse(context, node, extensionsOf(others, type))
      await updateNode(context.tx, node.id, { archived: true })
      return done({ event: aboutNode({ ...node, name: now.name }, { archived: true }) })
    },
  })
}

const isForced = ({ query }: Request<unknown>): boolean =>
  /^(true|t|1|yes|on)$/i.test(String(query['ignore_in_use'] ?? ''))

/**
 * Destroys a node with everything below it. One transaction marks everything as destroyed, so that it is gone for every
 * reader at once and codes can be reused; domains cancel and mark their own records. Rows are deleted in batches after
 * that; events remain.
 */
async function destroy(context: Context, node: Node, others: readonly Domain[]) {
  const gone = await markDestroyed(context.tx, node)
  await context.enqueue(deleteDestroyedJob, {}, { key: deleteDestroyedJob })
  for (const type of nodeTypes) {
    const ids = gone.filter(each => each.node_type === type).map(({ id }) => id)
    if (ids.length > 0) for (const extension of extensionsOf(others, type)) await extension.onDestroy?.(context, ids)
  }
  for (const each of gone.filter(({ id }) => id !== node.id)) {
    const { source, node: place, attributes } = aboutNode(each, { forced: true })
    await context.record({ type: 'api:nodes:destroy', actor: context.actor, source, node: place, attributes })
  }
  return done({ event: aboutNode(node, { forced: true }) })
}

/** 409 with the records that use it; those that the caller may not read are counted but not named. */
export async function refuseInUse(context: Context, node: Node, extensions: readonly Extends[]): Promise<void> {
  const asked: { what: string; path: string | null }[] = await activeChildren(context.tx, node.id)
  for (const extension of extensions)
    if (extension.inUse) asked.push(...(await context.tx.rows(extension.inUse([node.id]))))
  if (asked.length === 0) return
  const { rights } = context.actor
  throw failure('in-use', `${node.path} is in use: archive or end what uses it first.`, {
    meta: inUse(asked, ({ what, path }) => ({
      type: what,
      path: path !== null && rights.may('read', path) ? path : 'hidden',
    })),
  })
}
