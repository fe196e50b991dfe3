import type { Job } from '../domain.ts'
import type { DocumentStore } from './document-store.ts'

/** Deletes what destroyed owners leave behind, a transaction for each batch: no statement that others wait for is long. */
export const deleteDestroyed = (name: string, store: DocumentStore): Job => ({
  name,
  run: async (_payload, { database, stopping }) => {
    // Thrown at a stop, so that the queue runs it again for what is left.
    while (await store.deleteMarked(database)) stopping.throwIfAborted()
  },
})
