/** Rows that one statement deletes at most, so that nobody waits long for it, nor it for anybody. */
const batchRows = 1_000

/**
 * Deletes until there is nothing left, a transaction for each batch. Thrown at a stop, so that a queue runs the work
 * again for what is left.
 *
 * @param some deletes at most so many rows, and answers how many
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
