import { setTimeout as pause } from 'node:timers/promises'
import type { Keyring } from '#platform/crypto/index.ts'
import type { Database, Tx } from '#platform/db/database.ts'
import { Failure } from '#platform/failure.ts'
import { askToMask, forgetToMask, isMasked } from '../runners/index.ts'
import { attemptUnderWay } from '../steps/index.ts'

/** A question to the outside may take five seconds; a runner that is there answers within one look. */
const patience = 4_000
const betweenLooks = 20

/** Before a step is answered a secret: its runner masks that in all that the step writes. */
export type MaskFirst = (tx: Tx, stepId: string, secret: string) => Promise<void>

/**
 * A step that asks the service for a secret, in whatever language, has been given it like any other. Its runner is asked to
 * mask it, over whichever process holds its connection, while the transaction that answers it is not begun.
 *
 * @throws Failure (503) where the runner does not say within a few seconds that it does
 */
export const maskFirst =
  ({ database, keyring }: { database: Database; keyring: Keyring }): MaskFirst =>
  async (tx, stepId, secret) => {
    await tx.fromOutside(`mask ${JSON.stringify([stepId, secret])}`, async () => {
      const attempt = await attemptUnderWay(database, stepId)
      const id = attempt && (await askToMask(database, keyring, attempt, secret))
      if (id === undefined) return
      try {
        await untilMasked(database, id)
      } finally {
        await forgetToMask(database, id)
      }
    })
  }

async function untilMasked(database: Database, id: string): Promise<void> {
  const end = performance.now() + patience
  while (!(await isMasked(database, id))) {
    if (performance.now() > end)
      throw new Failure(
        [{ code: 'unavailable', detail: "The step's runner cannot be told to mask this secret now: ask again." }],
        { 'retry-after': '1' },
      )
    await pause(betweenLooks)
  }
}
