import type { Job } from '../domain.ts'
import type { DocumentStore } from './document-store.ts'

/**
 * Deletes the documents of destroyed owners in batches, each a transaction: no statement that others wait for takes
 * long.
 */
export const deleteDestroyed = (name: string, store: DocumentStore): Job => ({
  name,
  run: async (_payload, { database, stopping }) => {
    // Thrown at a stop, so that the queue runs it again for the rest.
    while (await store.deleteMarked(database)) stopping.throwIfAborted()
  },
})
