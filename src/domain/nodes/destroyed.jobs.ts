import { inBatches } from '#platform/db/batches.ts'
import type { Domain, Job, Runtime } from '#platform/domain.ts'
import { failpoint } from '#platform/failpoints.ts'
import { deleteBookmarksOf, deleteNodes, destroyedLeaves, inHalfAMinute, isAnyDestroyed } from './destroyed.store.ts'
import type { NodeType } from './node.ts'

export const deleteDestroyedJob = 'nodes.delete_destroyed'

const leavesFirst: readonly NodeType[] = ['asset', 'agent', 'environment', 'project']
/** Number of nodes processed together: their data is deleted in batches. */
const together = 200
const nobody = '00000000-0000-0000-0000-000000000000'

/**
 * Deletes the rows of destroyed nodes, leaves first, each domain its own, from right to left: referring rows before the
 * rows that they refer to. Many short transactions; after a kill it starts again and finds the rest. Nodes on which
 * something still runs are kept until that has ended. Events remain.
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

/** Schedules another run, because activities are being cancelled there, which takes time. */
const lookAgain = ({ database, enqueue }: Runtime): Promise<void> =>
  database.transaction(async tx => {
    const runAt = await inHalfAMinute(tx)
    await enqueue(tx, deleteDestroyedJob, {}, { key: `${deleteDestroyedJob}:again`, runAt })
  })
