import type { Keyring } from '#platform/crypto/index.ts'
import type { Database } from '#platform/db/database.ts'
import { askToMask, deleteSecretsToMask, isMasked } from '../runners/index.ts'
import { attemptUnderWay } from '../steps/for-step-execution.ts'
import type { MaskFirst } from './parts.port.ts'
import { pollUntil } from './poll-until.ts'

/**
 * Makes the runner of a step mask a secret before the secret is returned to the step. Secrets that a step requests from
 * the service are masked in its output like any other. The runner is asked to mask it, through whichever process has
 * its connection, before the transaction of the response begins.
 *
 * @throws Failure (503) if the runner does not confirm within a few seconds
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
