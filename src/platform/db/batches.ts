/** Maximum number of rows that one statement deletes, so that nothing waits long for it, nor it for others. */
const batchRows = 1_000

/**
 * Deletes until there is nothing left, a transaction for each batch. Thrown at a stop, so that a queue runs the work
 * again for what is left.
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
