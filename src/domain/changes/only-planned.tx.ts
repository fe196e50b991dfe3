import { answered, type Context, type Outcome } from '#platform/commands/command.ts'

/**
 * Answers with the plan of what `create` stores, which is rolled back. Which steps a retry takes over, and which approvals
 * count, is decided while it is stored: so it is created, described and undone.
 *
 * @param create stores what is planned, and returns the document of its plan
 * @throws Failure as the creation itself would
 */
export const onlyPlanned = async (context: Pick<Context, 'tx'>, create: () => Promise<object>): Promise<Outcome> =>
  answered({ data: await undone(context, create) })

/**
 * Result of `create`, whose statements are rolled back.
 *
 * @throws Failure as `create` does
 */
export async function undone<T>({ tx }: Pick<Context, 'tx'>, create: () => Promise<T>): Promise<T> {
  try {
    await tx.savepoint(async () => {
      throw new Undone(await create())
    })
  } catch (error) {
    if (error instanceof Undone) return error.result as T
    throw error
  }
  throw new Error('a plan was neither shown nor refused')
}

/** Error that rolls the plan back; not a failure. */
class Undone extends Error {
  readonly result: unknown

  constructor(result: unknown) {
    super('an activity that was only planned')
    this.result = result
  }
}
