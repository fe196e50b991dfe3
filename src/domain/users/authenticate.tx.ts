import type { Actor } from '#platform/actor.ts'
import type { Sql } from '#platform/db/sql.ts'
import { type Failure, failure } from '#platform/failure.ts'
import type { Authenticate } from '#platform/http/server.ts'
import { rightsOfAttempt } from './attempt-rights.sql.ts'
import { type AttemptToken, looksLikeAttemptToken, readAttemptToken } from './attempt-token.ts'
import { findToken, findUserOfAttempt } from './authentication.store.ts'
import { CredentialCache } from './credential-cache.ts'
import { readCredentials } from './credentials.ts'
import { signInTurns } from './passwords.adapter.ts'
import { csrfHeader, csrfTokenOf, isFromAnotherSite, isOwnRequest, readSession } from './session.ts'
import { byPassword, notBasic, type SignInResult, type SigningIn, wrongCredentials } from './sign-in.tx.ts'

export interface Authentication extends SigningIn {
  /**
   * Selects project and node path of the step that a token is for; nothing when its attempt is not the newest, is over,
   * or began longer ago than the token is good for. The steps are a folder to the right; part of the one statement.
   */
  placeOfToken: (token: AttemptToken) => Sql<{ project_id: string; path: string }>
}

/**
 * Signs in by HTTP Basic, a bearer token or the cookie of a session: one statement, and an argon2 once a
 * minute. A changed password, a disabled user, a revoked token and a changed right hold from the next request on, in every
 * process: only the result of the slow hash is remembered.
 *
 * @throws Failure `unauthenticated` (401), `wrong-csrf-token` and `forbidden` (403), `too-many-requests` (429 with
 *   Retry-After), `unavailable` (503) while a directory that has to be asked is away
 */
export function authenticator(options: Authentication): Authenticate {
  const signingIn = { ...options, verified: new CredentialCache<SignInResult>(), turns: signInTurns() }
  return async ({ headers, remoteAddress, host, method, signsIn }) => {
    const session = signsIn || headers.authorization ? undefined : readSession(headers.cookie)
    if (session) return bySession(options, session, { remoteAddress, method, given: headers[csrfHeader] })
    const credentials = readCredentials(headers.authorization)
    if (credentials.kind === 'none')
      throw signsIn ? notBasic(credentials.why) : failure('unauthenticated', credentials.why)
    if (credentials.kind === 'basic' && isFromAnotherSite(method, headers, host)) throw fromAnotherSite()
    return credentials.kind === 'bearer'
      ? await (looksLikeAttemptToken(credentials.token) ? byAttempt : byToken)(
          options,
          credentials.token,
          remoteAddress,
        )
      : await byPassword(signingIn, { ...credentials, remoteAddress, signsIn })
  }
}

const fromAnotherSite = (): Failure =>
  failure(
    'forbidden',
    'A page of another site had the browser send this with the HTTP Basic credentials that it remembers: it is not done. Use a bearer token there.',
    { source: { header: 'origin' } },
  )

async function byToken(options: Authentication, token: string, remoteAddress: string | null): Promise<Actor> {
  const found = await findToken(options.database, options.rights, token)
  // A session is a cookie and nothing else: as a bearer token it would pass by the check against forged requests.
  if (!found || found.kind === 'session') throw wrongCredentials()
  const { id: userId, username, groupnames, kind } = found
  const rights = await options.rights.of(options.database, found)
  return { userId, username, groupnames, remoteAddress, rights, via: kind }
}

interface OfSession {
  remoteAddress: string | null
  method: string
  /** The header X-CSRF-Token. */
  given: string | string[] | undefined
}

async function bySession(options: Authentication, secret: string, request: OfSession): Promise<Actor> {
  const found = await findToken(options.database, options.rights, secret)
  if (found?.kind !== 'session') throw notBasic('The session has ended: sign in again.')
  const csrfToken = csrfTokenOf(options.keyring, secret)
  if (!isOwnRequest(request.method, request.given, csrfToken)) {
    throw failure(
      'wrong-csrf-token',
      'A request that writes with a session carries its token as X-CSRF-Token; GET /api/me tells it in meta.csrf_token.',
      { source: { header: csrfHeader } },
    )
  }
  const { id: userId, username, groupnames, tokenId: id } = found
  const rights = await options.rights.of(options.database, found)
  const session = { id, csrfToken }
  return { userId, username, groupnames, remoteAddress: request.remoteAddress, rights, via: 'session', session }
}

/** A step's token proves itself; whether its attempt is under way, and what its user may do, is read as of now. */
async function byAttempt(options: Authentication, token: string, remoteAddress: string | null): Promise<Actor> {
  const { database, rights, placeOfToken, keyring } = options
  const said = readAttemptToken(keyring, token)
  if (!said) throw wrongCredentials()
  const found = await findUserOfAttempt(database, rights, said.userId, placeOfToken(said))
  if (!found) throw wrongCredentials()
  const { id: userId, username, groupnames, rightsState: _, ...place } = found
  const ofCreator = await rights.of(database, found)
  const rightsOfStep = rightsOfAttempt(ofCreator, place)
  return {
    userId,
    username,
    groupnames,
    remoteAddress,
    rights: rightsOfStep,
    via: 'attempt',
    stepId: said.stepId,
    scopeProjectId: place.projectId,
  }
}
