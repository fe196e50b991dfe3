import type { Actor } from '#platform/actor.ts'
import type { Keyring } from '#platform/crypto/index.ts'
import type { Database } from '#platform/db/database.ts'
import { type Sql, sql } from '#platform/db/sql.ts'
import type { RecordEvent } from '#platform/events.ts'
import { type Failure, failure } from '#platform/failure.ts'
import type { Authenticate } from '#platform/http/server.ts'
import { type AttemptPlace, rightsOfAttempt } from './attempt-rights.ts'
import { type AttemptToken, looksLikeAttemptToken, readAttemptToken } from './attempt-token.ts'
import { readCredentials } from './credentials.ts'
import { type Passwords, tooManyRequests } from './passwords.ts'
import type { RightsSource } from './rights-source.ts'
import { countAttempt, forgiveAttempt } from './sign-in-failures.store.ts'
import { hashOfToken } from './token.store.ts'

export interface Authentication {
  database: Database
  keyring: Pick<Keyring, 'mac'>
  passwords: Passwords
  rights: RightsSource
  record: RecordEvent
  /**
   * Selects project and node path of the step that a token is for; nothing when its attempt is not the newest, is over,
   * or began longer ago than the token is good for. The steps are a folder to the right; part of the one statement.
   */
  placeOfToken: (token: AttemptToken) => Sql<{ project_id: string; path: string }>
}

/**
 * Signs in by HTTP Basic or a bearer token (access.md 1): one statement, and an argon2 once a minute. A changed password, a disabled user, a revoked token and a
 * changed right hold from the next request on, in every process: only the result of the slow hash is remembered.
 *
 * @throws Failure `unauthenticated` (401), `too-many-requests` (429 with Retry-After)
 */
export function authenticator(options: Authentication): Authenticate {
  const verified = new Verified()
  return async ({ headers, remoteAddress }) => {
    const credentials = readCredentials(headers.authorization)
    if (credentials.kind === 'none') throw failure('unauthenticated', credentials.why)
    return credentials.kind === 'bearer'
      ? await (looksLikeAttemptToken(credentials.token) ? byAttempt : byToken)(
          options,
          credentials.token,
          remoteAddress,
        )
      : await byPassword(options, verified, { ...credentials, remoteAddress })
  }
}

interface FoundUser {
  id: string
  username: string
  granted: string
}

interface Attempt {
  username: string
  password: string
  remoteAddress: string | null
}

async function byPassword(options: Authentication, verified: Verified, attempt: Attempt): Promise<Actor> {
  const { database, rights, keyring } = options
  const user = await database.one(sql<FoundUser & { password_hash: string | null; password_version: number }>`
    select u.id, u.username, u.password_hash, u.password_version, ${grantedTo(rights)} as granted
      from users u
     where lower(u.username) = lower(${attempt.username})
       and u.auth_provider = 'local' and not u.disabled and u.deleted_at is null`)
  const proof = [user?.id ?? attempt.username.toLowerCase(), user?.password_version ?? 0, attempt.password]
  const key = keyring.mac('verified credentials', JSON.stringify(proof)).toString('base64')
  const right = await verified.remember(key, () => verify(options, attempt, user?.password_hash ?? null))
  if (!user || !right) throw wrongCredentials()
  return {
    userId: user.id,
    username: user.username,
    rights: rights.compile(user.granted),
    via: 'basic',
    remoteAddress: attempt.remoteAddress,
  }
}

async function verify(options: Authentication, attempt: Attempt, hash: string | null): Promise<boolean> {
  const { database, keyring, passwords } = options
  const who = `${attempt.username.toLowerCase()}\0${attempt.remoteAddress ?? ''}`
  const key = keyring.mac('failed sign-ins', who)
  const wait = await countAttempt(database, key)
  if (wait !== undefined) throw tooManyRequests(`Too many failed sign-ins: try again in ${wait} s.`, wait)
  const right = await passwords.verify(hash, attempt.password)
  if (right) await forgiveAttempt(database, key)
  else await recordDenial(options, attempt, key)
  return right
}

/**
 * The name is told only of a user that there is: what else is typed there may be a password. Of names that there are not
 * once a minute for each address, whatever they are: nobody fills the audit trail by making names up.
 */
async function recordDenial(
  { database, keyring, record }: Authentication,
  attempt: Attempt,
  key: Buffer,
): Promise<void> {
  await database.transaction(async tx => {
    const user = await tx.one(
      sql<{
        id: string
        username: string
      }>`select id, username from users where lower(username) = lower(${attempt.username})`,
    )
    await record(tx, {
      type: 'audit:users:sign_in:denied',
      actor: { userId: null, username: 'system' },
      ...(user && { source: { type: 'user', id: user.id } }),
      attributes: { ...(user && { name: user.username }), remote_address: attempt.remoteAddress },
      throttle: {
        key: (user ? key : keyring.mac('unknown names', attempt.remoteAddress ?? '')).toString('base64'),
        seconds: 60,
      },
    })
  })
}

interface FoundToken extends FoundUser {
  kind: 'personal' | 'agent'
}

async function byToken(options: Authentication, token: string, remoteAddress: string | null): Promise<Actor> {
  const { database, rights } = options
  // A session is a cookie and nothing else: as a bearer token it would pass by the check against forged requests.
  const found = await database.one(sql<FoundToken>`
    select t.kind, u.id, u.username, ${grantedTo(rights)} as granted
      from tokens t
      join users u on u.id = t.user_id
     where t.secret_sha = ${hashOfToken(token)} and t.kind in ('personal', 'agent')
       and t.revoked_at is null and t.expires_at > sluice_now()
       and not u.disabled and u.deleted_at is null`)
  if (!found) throw wrongCredentials()
  const { id: userId, username, granted, kind } = found
  return { userId, username, remoteAddress, rights: rights.compile(granted), via: kind }
}

/** A step's token proves itself; whether its attempt is under way, and what its user may do, is read as of now. */
async function byAttempt(options: Authentication, token: string, remoteAddress: string | null): Promise<Actor> {
  const { database, rights, placeOfToken, keyring } = options
  const said = readAttemptToken(keyring, token)
  if (!said) throw wrongCredentials()
  const found = await database.one(sql<FoundUser & AttemptPlace>`
    select u.id, u.username, ${grantedTo(rights)} as granted,
           p.id as "projectId", p.path as "projectPath", place.path as "nodePath"
      from (${placeOfToken(said)}) place
      join nodes p on p.id = place.project_id and p.destroyed_at is null
      join users u on u.id = ${said.userId}::uuid and not u.disabled and u.deleted_at is null`)
  if (!found) throw wrongCredentials()
  const { id: userId, username, granted, ...place } = found
  return { userId, username, remoteAddress, rights: rightsOfAttempt(rights.compile(granted), place), via: 'attempt' }
}

const grantedTo = (rights: RightsSource) => rights.granted({ id: sql`u.id`, groupnames: sql`u.groupnames` })

/** The same words for an unknown user, a wrong password, a disabled user and a token that has ended. */
const wrongCredentials = (): Failure => failure('unauthenticated', 'The credentials are wrong or no longer valid.')

/**
 * Credentials found right in the last minute, under a keyed hash of user, password and the password's version. Those who
 * ask while one is being verified wait for that one.
 */
class Verified {
  #until = new Map<string, number>()
  #underWay = new Map<string, Promise<boolean>>()

  async remember(key: string, verify: () => Promise<boolean>): Promise<boolean> {
    const until = this.#until.get(key)
    if (until !== undefined && performance.now() < until) return true
    this.#until.delete(key)
    const underWay = this.#underWay.get(key)
    if (underWay !== undefined) return underWay
    const verifying = verify().finally(() => this.#underWay.delete(key))
    this.#underWay.set(key, verifying)
    const right = await verifying
    if (right) this.#keep(key)
    return right
  }

  #keep(key: string): void {
    if (this.#until.size >= 10_000) this.#until.delete(this.#until.keys().next().value!)
    this.#until.set(key, performance.now() + 60_000)
  }
}
