/**
 * Runs statements as a pipeline: in one round trip if they are sent in the same turn. All of them have been answered
 * before the caller continues: none of them reaches PostgreSQL behind the rollback of a savepoint, or in the next
 * transaction of the connection.
 *
 * @throws the error of the first that failed, in this order. A statement that fails because the transaction is already
 *   aborted does not have the reason. A caller that catches the error and continues needs a savepoint: a later
 *   statement may have failed in PostgreSQL, and the transaction with it
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
