import { inBatches } from '#platform/db/batches.ts'
import type { Domain, Job, Runtime } from '#platform/domain.ts'
import { failpoint } from '#platform/failpoints.ts'
import { deleteBookmarksOf, deleteNodes, destroyedLeaves, inHalfAMinute, isAnyDestroyed } from './destroyed.store.ts'
import type { NodeType } from './node.ts'

export const deleteDestroyedJob = 'nodes.delete_destroyed'

const leavesFirst: readonly NodeType[] = ['asset', 'agent', 'environment', 'project']
/** Nodes that are dealt with together: what they have is deleted in batches of its own. */
const together = 200
const nobody = '00000000-0000-0000-0000-000000000000'

/**
 * Deletes the rows that destroyed nodes leave behind, leaves first, each domain its own, from right to left: who refers
 * goes before what is referred to. Many short transactions; killed anywhere, it is begun again and finds what is left.
 * Nodes of which something still runs are kept until that has ended. Events stay.
 */
export const deleteDestroyedNodes = (others: readonly Domain[]): Job => ({
  name: deleteDestroyedJob,
  cron: '23 * * * *',
  run: async (_: object, runtime) => {
    for (const type of leavesFirst) {
      for (let after = nobody; ; ) {
        runtime.stopping.throwIfAborted()
        const nodes = await destroyedLeaves(runtime.database, type, { after, most: together })
        if (nodes.length === 0) break
        await deleteData(others, runtime, nodes)
        after = nodes.at(-1)!
      }
    }
    if (await isAnyDestroyed(runtime.database)) await lookAgain(runtime)
  },
})

async function deleteData(others: readonly Domain[], runtime: Runtime, nodes: readonly string[]): Promise<void> {
  let remaining = nodes
  for (const { deleteNodeData } of others.toReversed()) {
    if (!deleteNodeData || remaining.length === 0) continue
    const kept = new Set(await deleteNodeData(runtime, remaining))
    remaining = remaining.filter(id => !kept.has(id))
  }
  await inBatches(runtime.stopping, most => deleteBookmarksOf(runtime.database, remaining, most))
  await deleteNodes(runtime.database, remaining)
  failpoint('destroyed-deleted')
}

/** Schedules another look, because running activities are being cancelled there, which takes time. */
const lookAgain = ({ database, enqueue }: Runtime): Promise<void> =>
  database.transaction(async tx => {
    const runAt = await inHalfAMinute(tx)
    await enqueue(tx, deleteDestroyedJob, {}, { key: `${deleteDestroyedJob}:again`, runAt })
  })
