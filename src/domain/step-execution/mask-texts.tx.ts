import type { Keyring } from '#platform/crypto/index.ts'
import type { Database } from '#platform/db/database.ts'
import { askToMaskTexts, deleteTextsToMask, maskedTexts } from '../runners/index.ts'
import { attemptUnderWay } from '../steps/for-step-execution.ts'
import type { MaskTexts } from './parts.port.ts'
import { pollUntil } from './poll-until.ts'

/** Placeholder for a text when it is unknown which parts of it are secret. */
export const hidden = '***'

/**
 * Masks texts of a step before the service records them. Only its runner knows all secrets that it was given, in all
 * their forms, and is asked outside of any transaction. Texts that a runner of an earlier version cannot mask are
 * `hidden`, and so is every text when the attempt is over.
 *
 * @throws Failure (503) if the runner does not answer within a few seconds
 */
export const maskTexts =
  ({ database, keyring }: { database: Database; keyring: Keyring }): MaskTexts =>
  (queries, stepId, texts) =>
    queries.external(`mask texts ${JSON.stringify([stepId, texts])}`, async () => {
      const attempt = await attemptUnderWay(database, stepId)
      const id = attempt && (await askToMaskTexts(database, keyring, attempt, texts))
      if (id === undefined) return texts.map(() => hidden)
      try {
        const otherwise = "The step's runner cannot be asked now what of this is secret: ask again."
        return await pollUntil(() => maskedTexts(database, keyring, id), otherwise)
      } finally {
        await deleteTextsToMask(database, id)
      }
    })
