import { createHash, hash } from 'node:crypto'
import { fromJson } from '#json/from-json.ts'
import type { Actor } from '../actor.ts'
import type { Keyring, SealedTable } from '../crypto/index.ts'
import type { Tx } from '../db/database.ts'
import { sql } from '../db/sql.ts'
import type { Job } from '../domain.ts'
import { failure } from '../failure.ts'
import type { Answer } from './answer.ts'
import type { Needed } from './replay.ts'

export interface Claim {
  readonly userId: string
  readonly key: string
  /**
   * Method and path, or their hash if they are very long; the query only affects how the response is shown. For the
   * token of a step also the step: it never gets a response to its user.
   */
  readonly route: string
}

type Sealing = Pick<Keyring, 'seal' | 'open'>

/** The claim of an Idempotency-Key; undefined for requests without one. */
export function claimOf(key: string | undefined, actor: Actor, route: string): Claim | undefined {
  if (key === undefined || actor.userId === null) return undefined
  if (!/^[\x21-\x7e]{1,255}$/.test(key)) {
    const detail = 'Idempotency-Key is 1 to 255 visible ASCII characters.'
    throw failure('wrong-header', detail, { source: { header: 'idempotency-key' } })
  }
  const by = actor.stepId === undefined ? route : `step ${actor.stepId} ${route}`
  return { userId: actor.userId, key, route: by.length <= longestRoute ? by : hash('sha256', by) }
}

/** Maximum length of a stored route: an index entry holds 2,704 bytes, and a path may be longer than that. */
const longestRoute = 1_000

/** Stored response, with the rights that it was given for. */
export type StoredResponse = Answer & { readonly needed?: Needed }

export interface First {
  readonly answer: StoredResponse
  /** Whether the body is the same as that of the first request. */
  readonly isSame: boolean
}

export const keyReused = () =>
  failure('key-reused', 'This Idempotency-Key was used with another body. Use a new key for a new request.')

/**
 * Claims the key for this transaction, or returns the response to the first request with it. While that runs: 409; the
 * lock is released with its transaction. Keys expire after a day.
 */
export async function claim(tx: Tx, claimed: Claim, body: Uint8Array, sealing: Sealing): Promise<First | undefined> {
  const { userId, key, route } = claimed
  const free = await tx.one(sql<{ free: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended(${`idempotency ${userId} ${key} ${route}`}, 0)) as free`)
  if (!free?.free) throw failure('key-in-flight', 'A request with this Idempotency-Key is under way. Ask again soon.')
  const sha = createHash('sha256').update(body).digest()
  const first = await tx.one(sql<{ status: number; answer: Buffer; body_sha: Buffer }>`
    select status, answer, body_sha
      from idempotency_keys
     where user_id = ${userId} and key = ${key} and route = ${route}
       and created_at > sluice_now() - interval '24 hours'
       and answer is not null`)
  if (first) return { answer: openAnswer(sealing, claimed, first.answer), isSame: first.body_sha.equals(sha) }
  await tx.count(sql`
    insert into idempotency_keys (user_id, key, route, body_sha)
    values (${userId}, ${key}, ${route}, ${sha})
    on conflict (user_id, key, route)
    do update set body_sha = excluded.body_sha, status = null, answer = null, created_at = sluice_now()`)
  return undefined
}

/**
 * Stores the response for repetitions of the request. Encrypted: it may contain values that are encrypted elsewhere.
 */
export async function storeResponse(tx: Tx, claimed: Claim, answer: StoredResponse, sealing: Sealing): Promise<void> {
  const { userId, key, route } = claimed
  await tx.count(sql`
    update idempotency_keys
       set status = ${answer.status}, answer = ${sealing.seal(JSON.stringify(answer), aadOf(claimed))}
     where user_id = ${userId} and key = ${key} and route = ${route}`)
}

/**
 * Replaces the response that was stored while the outcome was unknown, which has the status `before`. False if another
 * one is stored already: when a connection is lost at COMMIT, it is unknown whether the commit happened.
 */
export async function replaceResponse(
  tx: Tx,
  claimed: Claim,
  answer: Answer,
  sealing: Sealing,
  before: number,
): Promise<boolean> {
  const { userId, key, route } = claimed
  const kept = await tx.one(sql<{ answer: Buffer }>`
    select answer from idempotency_keys
     where user_id = ${userId} and key = ${key} and route = ${route} and status = ${before}
       for update`)
  if (!kept) return false
  const { needed } = openAnswer(sealing, claimed, kept.answer)
  await storeResponse(tx, claimed, { ...answer, ...(needed && { needed }) }, sealing)
  return true
}

const openAnswer = (sealing: Sealing, claimed: Claim, answer: Buffer): StoredResponse =>
  fromJson(sealing.open(answer, aadOf(claimed)).toString('utf8')) as StoredResponse

const aadOf = ({ userId, key, route }: Claim) => `idempotency_keys:${userId}:${key}:${route}`

export const sealedAnswers: SealedTable = {
  table: 'idempotency_keys',
  key: { user_id: 'uuid', key: 'text', route: 'text' },
  columns: { answer: row => aadOf({ userId: row['user_id'], key: row['key'], route: row['route'] }) },
}

/** Deletes responses that are too old to be requested again. */
export const deleteOldResponsesJob: Job = {
  name: 'commands.forget_old_answers',
  cron: '7 * * * *',
  run: async (_: never, { database }) =>
    void (await database.count(
      sql`delete from idempotency_keys where created_at < sluice_now() - interval '24 hours'`,
    )),
}
