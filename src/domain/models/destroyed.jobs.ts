import type { Job } from '#platform/domain.ts'
import { deleteDestroyed } from './model.store.ts'

export const deleteDestroyedJob = 'models.delete_destroyed'

/** Models of destroyed assets, in transactions that hold nothing up. */
export const deleteDestroyedModels: Job = {
  name: deleteDestroyedJob,
  run: async (_: object, { database, stopping }) => {
    while (!stopping.aborted && (await deleteDestroyed(database, 100))) {
      // Until none is left.
    }
  },
}
