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
import { csrfHeader, csrfTokenOf, isFromAnotherSite, isOwnRequest, readSession, shownUserAgent } from './session.ts'
import { byPassword, notBasic, type SignInResult, type SigningIn, wrongCredentials } from './sign-in.tx.ts'

export interface Authentication extends SigningIn {
  /**
   * Selects project and node path of a token's step; no row if its attempt is not the newest, is over, or began before
   * the token's lifetime. Steps belong to a folder to the right; this is part of the one statement.
   */
  placeOfToken: (token: AttemptToken) => Sql<{ project_id: string; path: string }>
}

/**
 * Authenticates by HTTP Basic, a bearer token or a session cookie: one statement, and one argon2 hash a minute. A
 * changed password, a disabled user, a revoked token and a changed right take effect with the next request, in every
 * process: only the result of the slow hash is cached.
 *
 * @throws Failure `unauthenticated` (401), `wrong-csrf-token` and `forbidden` (403), `too-many-requests` (429 with
 *   Retry-After), `unavailable` (503) while a required directory is unavailable
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
      : await byPassword(signingIn, {
          ...credentials,
          remoteAddress,
          signsIn,
          userAgent: signsIn ? shownUserAgent(headers['user-agent']) : undefined,
        })
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
  // A session is only accepted as a cookie: as a bearer token it would bypass the check against forged requests.
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

/** A step's token is verified by its hash; the state of its attempt, and the rights of its user, are read now. */
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
