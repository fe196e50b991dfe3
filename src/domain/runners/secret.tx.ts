import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Queries } from '#platform/db/database.ts'
import { findRunner, type KnownRunner } from './runner.store.ts'

/** Secret of a runner, known only to the runner: its id and 32 random bytes. The database has its hash. */
export function newSecret(runnerId: string): { secret: string; sha256: Buffer } {
  const secret = `${runnerId}.${randomBytes(32).toString('base64url')}`
  return { secret, sha256: hashOf(secret) }
}

const form = /^Bearer (([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\.[\w-]{43})$/

/**
 * The runner that sent a request.
 *
 * @returns 401 for one that is unknown with this secret, 410 for one that was given up
 */
export async function authenticateRunner(
  queries: Queries,
  authorization: string | undefined,
): Promise<KnownRunner | 401 | 410> {
  const [, secret, id] = form.exec(authorization ?? '') ?? []
  const runner = id === undefined ? undefined : await findRunner(queries, id)
  if (!runner || secret === undefined) return 401
  // A runner that is gone has lost its secret: a request with it only learns that.
  if (runner.status === 'gone') return 410
  if (!runner.secretSha || !timingSafeEqual(runner.secretSha, hashOf(secret))) return 401
  return runner
}

const hashOf = (secret: string) => createHash('sha256').update(secret).digest()
