/** Maximum number of rows that one statement deletes, so that neither it nor other statements wait long. */
const batchRows = 1_000

/**
 * Deletes in batches, each a transaction of its own, until there is nothing left. Throws at a stop, so that a queue
 * runs the work again for the rest.
 *
 * @param some deletes at most that number of rows, and returns how many
 */
export async function inBatches(
  stopping: AbortSignal,
  some: (most: number) => Promise<number>,
  most = batchRows,
): Promise<void> {
  for (;;) {
    stopping.throwIfAborted()
    if ((await some(most)) < most) return
  }
}
