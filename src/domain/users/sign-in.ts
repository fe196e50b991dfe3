import type { Actor } from '#platform/actor.ts'
import type { Keyring } from '#platform/crypto/index.ts'
import type { Database } from '#platform/db/database.ts'
import { sql } from '#platform/db/sql.ts'
import type { RecordEvent } from '#platform/events.ts'
import { Failure, failure } from '#platform/failure.ts'
import type { DirectorySource } from './directory-source.ts'
import { type Passwords, type Turns, tooManyRequests } from './passwords.ts'
import { type RightsSource, rightsState } from './rights-source.ts'
import { countAttempt, forgiveAttempt } from './sign-in-failures.store.ts'
import type { Verified } from './verified.ts'

export interface SigningIn {
  database: Database
  keyring: Pick<Keyring, 'mac'>
  passwords: Passwords
  rights: RightsSource
  record: RecordEvent
  /** Knows those who are no local users. */
  directory: DirectorySource
}

export interface SigningInByTurns extends SigningIn {
  /**
   * Who counts an attempt. Of twenty people who sign in at once each would else take a connection for a commit, and have
   * nothing of it: their hashes are made one after the other.
   */
  counting: Turns<number>
}

export interface Attempt {
  username: string
  password: string
  remoteAddress: string | null
  /** To begin a session: taken even where HTTP Basic is turned off. */
  signsIn: boolean
}

/** For how long a slow hash is remembered (access.md 1). */
const rememberedSeconds = 60

/** Signs in by user name and password. */
export async function byPassword(options: SigningInByTurns, verified: Verified, attempt: Attempt): Promise<Actor> {
  const { basicAuth, ...found } = await find(options, attempt)
  if (!basicAuth && !attempt.signsIn) throw basicIsOff()
  const isLocal = found.user?.authProvider === 'local'
  const proof = [found.user?.id ?? attempt.username.toLowerCase(), found.user?.passwordVersion ?? 0, attempt.password]
  const key = options.keyring.mac('verified credentials', JSON.stringify(proof)).toString('base64')
  const hash = isLocal && found.user!.active ? found.user!.passwordHash : null
  const told = await verified.ask(key, () => verify(options, attempt, { isLocal, hash }))
  // The directory may have told something new of them, and that they exist.
  const user = !isLocal && told === 'verified' ? (await find(options, attempt)).user : found.user
  if (told === 'wrong' || !user?.active) throw wrongCredentials(attempt.signsIn)
  return {
    userId: user.id,
    username: user.username,
    groupnames: user.groupnames,
    rights: await options.rights.of(options.database, user),
    via: 'basic',
    remoteAddress: attempt.remoteAddress,
  }
}

interface FoundUser {
  id: string
  username: string
  groupnames: string[]
  authProvider: 'local' | 'ldap'
  /** Neither disabled nor deleted. */
  active: boolean
  passwordHash: string | null
  passwordVersion: number
  rightsState: string
}

/** A local user is never asked of the directory, one that is disabled or deleted neither: else it could take names over. */
async function find(
  { database, rights }: SigningIn,
  { username }: Attempt,
): Promise<{ basicAuth: boolean; user: FoundUser | undefined }> {
  const row = (await database.one(sql<FoundUser & { basicAuth: boolean }>`
    select i.basic_auth as "basicAuth", found.*
      from installation i
      left join lateral (
             select u.id, u.username, u.groupnames, u.auth_provider as "authProvider", u.password_hash as "passwordHash",
                    u.password_version as "passwordVersion", not u.disabled and u.deleted_at is null as active,
                    ${rightsState(rights)} as "rightsState"
               from users u
              where lower(u.username) = lower(${username})) found on true`))!
  return { basicAuth: row.basicAuth, user: row.id === null ? undefined : row }
}

interface Known {
  isLocal: boolean
  /** Of a local user who may sign in. */
  hash: string | null
}

async function verify(options: SigningInByTurns, attempt: Attempt, known: Known): Promise<number | undefined> {
  const { database, keyring, counting } = options
  const who = `${attempt.username.toLowerCase()}\0${attempt.remoteAddress ?? ''}`
  const key = keyring.mac('failed sign-ins', who)
  const wait = await counting.take(() => countAttempt(database, key))
  if (wait !== undefined) throw tooManyRequests(`Too many failed sign-ins: try again in ${wait} s.`, wait)
  const seconds = await compare(options, attempt, known).catch(async (error: unknown) => {
    // Nobody has said that it was wrong.
    await forgiveAttempt(database, key)
    throw error
  })
  if (seconds !== undefined) await forgiveAttempt(database, key)
  else await recordDenial(options, attempt, key)
  return seconds
}

/** The slow hash is made for every name, known or not: the time that an answer takes says nothing. */
async function compare(
  { passwords, directory }: SigningIn,
  { username, password }: Attempt,
  { isLocal, hash }: Known,
): Promise<number | undefined> {
  const right = await passwords.verify(hash, password)
  if (isLocal) return right ? rememberedSeconds : undefined
  return directory.verify(username, password)
}

/**
 * The name is told only of a user that there is: what else is typed there may be a password. Of names that there are not
 * once a minute for each address, whatever they are: nobody fills the audit trail by making names up.
 */
async function recordDenial({ database, keyring, record }: SigningIn, attempt: Attempt, key: Buffer): Promise<void> {
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

/**
 * The same words for an unknown user, a wrong password, a disabled user and a token that has ended.
 *
 * @param quietly without the challenge that makes a browser ask by itself: a page of ours does
 */
export const wrongCredentials = (quietly = false): Failure =>
  quietly ? notBasic(wrong) : failure('unauthenticated', wrong)

const wrong = 'The credentials are wrong or no longer valid.'

const basicIsOff = (): Failure =>
  notBasic(
    'HTTP Basic is turned off here (enable_basic_auth): begin a session with POST /api/tokens/session, or use a bearer token.',
  )

/** 401 where a user name and a password in the header would not help. */
export const notBasic = (detail: string): Failure =>
  new Failure([{ code: 'unauthenticated', detail }], { 'www-authenticate': 'Bearer realm="sluice"' })
