import type { Actor } from '#platform/actor.ts'
import type { Keyring } from '#platform/crypto/index.ts'
import type { Database } from '#platform/db/database.ts'
import type { RecordEvent } from '#platform/events.ts'
import { Failure, failure } from '#platform/failure.ts'
import { foldedName } from '#platform/folded-name.ts'
import { findLocalUser, findUserNamed, type LocalUser } from './authentication.store.ts'
import type { CredentialCache } from './credential-cache.ts'
import type { DirectorySource } from './directory-source.ts'
import { type Passwords, type Turns, tooManyRequests } from './passwords.adapter.ts'
import type { RightsSource } from './rights-source.port.ts'
import { countAttempt, forgiveAttempt } from './sign-in-failures.store.ts'

export interface SigningIn {
  database: Database
  keyring: Pick<Keyring, 'mac'>
  passwords: Passwords
  rights: RightsSource
  record: RecordEvent
  /** Source of users who are not local. */
  directory: DirectorySource
}

export interface SigningInByTurns extends SigningIn {
  /** Semaphore for users who are not cached: one who is signed in already is served first. */
  turns: Turns<number>
  verified: CredentialCache<SignInResult>
}

export interface Attempt {
  username: string
  password: string
  remoteAddress: string | null
  /** Whether a session begins: a password is accepted then even if HTTP Basic is turned off. */
  signsIn: boolean
  /** Browser or program, kept with a session. */
  userAgent?: string | undefined
}

/** Seconds for which the result of a slow hash is cached. */
const rememberedSeconds = 60

/** Result of signing in for a user who was not cached. */
export type SignInResult = LocalUser | 'wrong' | 'basic is off'

/** Signs in by user name and password. */
export async function byPassword(options: SigningInByTurns, attempt: Attempt): Promise<Actor> {
  const { keyring, verified } = options
  const given = JSON.stringify([foldedName(attempt.username), attempt.password, attempt.signsIn])
  const key = keyring.mac('verified credentials', given).toString('base64')
  const result =
    (await remembered(options, key, attempt)) ?? (await verified.once(key, () => signIn(options, key, attempt)))
  if (result === 'basic is off') throw basicIsOff()
  if (result === 'wrong' || !result.active) throw wrongCredentials(attempt.signsIn)
  return {
    userId: result.id,
    username: result.username,
    groupnames: result.groupnames,
    rights: await options.rights.of(options.database, result),
    via: 'basic',
    passwordVersion: result.passwordVersion,
    remoteAddress: attempt.remoteAddress,
    ...(attempt.userAgent !== undefined && { userAgent: attempt.userAgent }),
  }
}

/** Cached user: never under another password, and no other user under their name. */
async function remembered(options: SigningInByTurns, key: string, attempt: Attempt): Promise<SignInResult | undefined> {
  const proven = options.verified.of(key)
  if (!proven) return undefined
  const { basicAuth, user } = await find(options, attempt)
  if (!basicAuth && !attempt.signsIn) return 'basic is off'
  return user?.id === proven.id && user.passwordVersion === proven.passwordVersion ? user : undefined
}

async function signIn(options: SigningInByTurns, key: string, attempt: Attempt): Promise<SignInResult> {
  const looked = await options.turns.take(attempt.remoteAddress ?? '', () => lookedUp(options, attempt))
  if (looked === 'basic is off') return looked
  const { found, isLocal, failures, right } = looked
  // A directory may be slow: the next one has its turn meanwhile.
  const seconds = isLocal
    ? right && rememberedSeconds
    : await unlessItFails(options, failures, () => options.directory.verify(attempt.username, attempt.password))
  if (seconds === undefined || seconds === false) {
    await recordDenial(options, attempt, failures)
    return 'wrong'
  }
  await forgiveAttempt(options.database, failures)
  // The directory may have updated the user, or created it.
  const user = isLocal ? found : (await find(options, attempt)).user
  if (!user) return 'wrong'
  options.verified.keep(key, user, seconds)
  return user
}

/**
 * Finds a local user, for whom the directory is never asked, not even if the user is disabled or deleted: otherwise it
 * could take over names.
 */
async function find(
  { database, rights }: SigningIn,
  { username }: Attempt,
): Promise<{ basicAuth: boolean; user: LocalUser | undefined }> {
  const row = await findLocalUser(database, rights, username)
  return { basicAuth: row.basicAuth, user: row.id === null ? undefined : row }
}

interface LookedUp {
  readonly found: LocalUser | undefined
  readonly isLocal: boolean
  /** Key under which a failure counts. */
  readonly failures: Buffer
  /** Whether the password is correct, for a local user who may sign in. */
  readonly right: boolean
}

/**
 * Looks up a user and checks the password. The slow hash is computed for every name, known or not, so that the response
 * time reveals nothing.
 */
async function lookedUp(options: SigningIn, attempt: Attempt): Promise<LookedUp | 'basic is off'> {
  const { database, keyring, passwords } = options
  const { basicAuth, user: found } = await find(options, attempt)
  if (!basicAuth && !attempt.signsIn) return 'basic is off'
  const who = `${foldedName(attempt.username)}\0${attempt.remoteAddress ?? ''}`
  const failures = keyring.mac('failed sign-ins', who)
  const wait = await countAttempt(database, failures)
  if (wait !== undefined) throw tooManyRequests(`Too many failed sign-ins: try again in ${wait} s.`, wait)
  const isLocal = found?.authProvider === 'local'
  const hash = isLocal && found.active ? found.passwordHash : null
  const right = await unlessItFails(options, failures, () => passwords.verify(hash, attempt.password))
  return { found, isLocal, failures, right }
}

/** Takes back the recorded failure unless the credentials were found wrong. */
async function unlessItFails<T>({ database }: SigningIn, failures: Buffer, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    await forgiveAttempt(database, failures)
    throw error
  }
}

/**
 * Records a refused sign-in. The name is recorded only for an existing user: other texts typed there may be passwords.
 * For unknown names it is recorded once a minute for each address, whatever they are: the audit trail cannot be filled
 * with invented names.
 */
async function recordDenial({ database, keyring, record }: SigningIn, attempt: Attempt, key: Buffer): Promise<void> {
  await database.transaction(async tx => {
    const user = await findUserNamed(tx, attempt.username)
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
 * Failure for an unknown user, a wrong password, a disabled user and an expired token: all with the same text.
 *
 * @param quietly without the challenge that makes a browser prompt by itself: a page of ours does
 */
export const wrongCredentials = (quietly = false): Failure =>
  quietly ? notBasic(wrong) : failure('unauthenticated', wrong)

const wrong = 'The credentials are wrong or no longer valid.'

const basicIsOff = (): Failure =>
  notBasic(
    'HTTP Basic is turned off here (enable_basic_auth): begin a session with POST /api/tokens/session, or use a bearer token.',
  )

/** 401 if a user name and a password in the header would not help. */
export const notBasic = (detail: string): Failure =>
  new Failure([{ code: 'unauthenticated', detail }], { 'www-authenticate': 'Bearer realm="sluice"' })
