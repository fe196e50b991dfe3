import type { Actor } from '#platform/actor.ts'
import type { Keyring } from '#platform/crypto/index.ts'
import type { Database } from '#platform/db/database.ts'
import { type Sql, sql } from '#platform/db/sql.ts'
import type { RecordEvent } from '#platform/events.ts'
import { type Failure, failure } from '#platform/failure.ts'
import type { Authenticate } from '#platform/http/server.ts'
import { rightsOfAttempt } from './attempt-rights.ts'
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
   * The path of the node whose step an attempt is, or null when that attempt is not the newest or has ended: the steps
   * are a folder to the right. Part of the statement that reads the token.
   */
  nodeOfAttempt: (token: { stepId: Sql; fence: Sql }) => Sql<string | null>
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
      ? await byToken(options, credentials.token, remoteAddress)
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
  kind: 'personal' | 'attempt' | 'agent'
  project_id: string | null
  project_path: string | null
  node_path: string | null
}

async function byToken(options: Authentication, token: string, remoteAddress: string | null): Promise<Actor> {
  const { database, rights, nodeOfAttempt } = options
  const attempt = { stepId: sql`t.step_id`, fence: sql`t.fence` }
  // A session is a cookie and nothing else: as a bearer token it would pass by the check against forged requests.
  const found = await database.one(sql<FoundToken>`
    select t.kind, t.project_id, u.id, u.username, ${grantedTo(rights)} as granted,
           (select p.path from nodes p where p.id = t.project_id and p.destroyed_at is null) as project_path,
           case when t.kind = 'attempt' then (${nodeOfAttempt(attempt)}) end as node_path
      from tokens t
      join users u on u.id = t.user_id
     where t.secret_sha = ${hashOfToken(token)} and t.kind <> 'session'
       and t.revoked_at is null and t.expires_at > sluice_now()
       and not u.disabled and u.deleted_at is null`)
  if (!found) throw wrongCredentials()
  const ofUser = rights.compile(found.granted)
  const who = { userId: found.id, username: found.username, remoteAddress }
  if (found.kind !== 'attempt') return { ...who, rights: ofUser, via: found.kind }
  const { project_id: projectId, project_path: projectPath, node_path: nodePath } = found
  if (projectId === null || projectPath === null || nodePath === null) throw wrongCredentials()
  return { ...who, rights: rightsOfAttempt(ofUser, { projectId, projectPath, nodePath }), via: 'attempt' }
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
