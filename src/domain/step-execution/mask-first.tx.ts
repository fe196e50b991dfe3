import type { Keyring } from '#platform/crypto/index.ts'
import type { Database } from '#platform/db/database.ts'
import { askToMask, deleteSecretsToMask, isMasked } from '../runners/index.ts'
import { attemptUnderWay } from '../steps/for-step-execution.ts'
import type { MaskFirst } from './parts.port.ts'
import { pollUntil } from './poll-until.ts'

/**
 * Makes the runner of a step mask a secret before the step is answered it. A step that asks the service for a secret,
 * in whatever language, has been given it like any other. Its runner is asked to mask it, over whichever process holds
 * its connection, while the transaction that answers it is not begun.
 *
 * @throws Failure (503) where the runner does not say within a few seconds that it does
 */
export const maskFirst =
  ({ database, keyring }: { database: Database; keyring: Keyring }): MaskFirst =>
  async (tx, stepId, secret) => {
    await tx.external(`mask ${JSON.stringify([stepId, secret])}`, async () => {
      const attempt = await attemptUnderWay(database, stepId)
      const id = attempt && (await askToMask(database, keyring, attempt, secret))
      if (id === undefined) return
      try {
        const otherwise = "The step's runner cannot be reached to mask this secret now: try again."
        await pollUntil(async () => (await isMasked(database, id)) || undefined, otherwise)
      } finally {
        await deleteSecretsToMask(database, id)
      }
    })
  }
