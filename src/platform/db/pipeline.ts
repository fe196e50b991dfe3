/**
 * What is asked for at once, in one round trip where the statements are sent in the same turn. All of it has been answered
 * before anything goes on: nothing of it reaches PostgreSQL behind the rollback of a savepoint, or in the next transaction
 * of the connection.
 *
 * @throws what the first of them in this order threw. A statement that is only told that its transaction is over, because
 * one sent before it failed, does not say why. Whoever catches it and goes on needs a savepoint: a later one may have failed
 * in PostgreSQL, and the transaction with it
 */
export async function together<T extends readonly unknown[]>(
  asked: {
    readonly [K in keyof T]: Promise<T[K]> | T[K]
  },
): Promise<T> {
  const answers = await Promise.allSettled(asked as readonly unknown[])
  const failed = answers.flatMap(answer => (answer.status === 'rejected' ? [answer.reason] : []))
  if (failed.length > 0) throw failed.find(reason => reason?.code !== '25P02') ?? failed[0]
  return answers.map(answer => (answer as PromiseFulfilledResult<unknown>).value) as unknown as T
}
