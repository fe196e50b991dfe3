import Type from 'typebox'
import { type AnyCommand, type Context, command, done, type Target } from '#platform/commands/command.ts'
import type { Keyring } from '#platform/crypto/index.ts'
import type { Queries } from '#platform/db/database.ts'
import { failure, missing } from '#platform/failure.ts'
import { cookieOf, csrfTokenOf, noCookie } from './session.ts'
import { wrongCredentials } from './sign-in.tx.ts'
import { endSession, insertSession, lockSession } from './token.store.ts'
import { onlyPeople } from './user.ts'

export interface Sessions {
  keyring: Pick<Keyring, 'mac'>
  /**
   * Lifetime of a session in minutes (the setting token.access_expiry_minutes; the folder `settings` is to the right).
   */
  sessionMinutes: (queries: Queries) => Promise<number>
}

/**
 * Commands for a browser's session: begun with user name and password, identified by a cookie, ended by its owner or by
 * time.
 */
export const sessionCommands = (options: Sessions): AnyCommand[] => [begin(options), end, endAny]

const begin = ({ keyring, sessionMinutes }: Sessions) =>
  command({
    name: 'sessions.create',
    summary:
      'Starts a session with HTTP Basic authentication and sets its cookie. Writing requests with the cookie send meta.csrf_token as X-CSRF-Token.',
    method: 'POST',
    paths: ['/api/tokens/session'],
    status: 201,
    signsIn: true,
    secret: true,
    event: 'api:tokens:create',
    eventBody: [],
    answer: Type.Object({
      data: Type.Object({
        id: Type.String(),
        type: Type.Literal('session'),
        attributes: Type.Object({
          username: Type.String(),
          created_at: Type.String(),
          expires_at: Type.String(),
        }),
        links: Type.Object({ self: Type.String() }),
      }),
      meta: Type.Object({ csrf_token: Type.String() }),
    }),
    find: async () => ({}),
    needs: (_found, _request, actor) => {
      const { via } = actor
      // A session created with a token would outlive the token.
      if (via === 'basic') return onlyPeople(actor)
      throw failure('forbidden', 'A session begins with user name and password (HTTP Basic).', { meta: { via } })
    },
    run: async ({ tx, actor }) => {
      const minutes = await sessionMinutes(tx)
      const { userId, passwordVersion, remoteAddress, userAgent } = actor
      const made = await insertSession(tx, {
        userId: userId!,
        passwordVersion: passwordVersion!,
        minutes,
        remoteAddress,
        userAgent,
      })
      if (!made) throw wrongCredentials(true)
      const { id, secret, ...times } = made
      const attributes = { username: actor.username, ...times }
      const links = { self: '/api/tokens/session' }
      return {
        outcome: 'answered',
        status: 201,
        headers: { 'set-cookie': cookieOf(secret, minutes) },
        body: {
          data: { id, type: 'session', attributes, links },
          meta: { csrf_token: csrfTokenOf(keyring, secret) },
        },
        event: { source: { type: 'token', id }, attributes: { kind: 'session', expires_at: times.expires_at } },
      }
    },
  })

interface Found extends Target {
  id: string | undefined
}

const end = command<never, Found>({
  name: 'sessions.delete',
  summary: 'Ends the current session; its cookie is invalid from the next request on.',
  method: 'DELETE',
  paths: ['/api/tokens/session'],
  status: 204,
  event: 'api:tokens:destroy',
  eventBody: [],
  find: async ({ actor }: Context) => ({ id: actor.session?.id }),
  needs: () => [],
  refuse: ({ id }) =>
    id ? undefined : failure('wrong-state', 'The request came without a session; there is none to end.'),
  run: async ({ tx }, found) => {
    const id = found.id!
    // Another request has ended it after this one was authenticated.
    if ((await endSession(tx, id)) === 0) throw missing()
    return done({
      event: { source: { type: 'token', id }, attributes: { kind: 'session' } },
      headers: { 'set-cookie': noCookie },
    })
  },
})

interface FoundSession extends Target {
  id: string
  created_by: string
}

const endAny = command<never, FoundSession>({
  name: 'sessions.end',
  summary:
    'Ends a session of the caller; superusers can end any. Its cookie is invalid from the next request on. To end the current one is to sign out.',
  method: 'DELETE',
  paths: ['/api/tokens/sessions/:id'],
  status: 204,
  event: 'api:tokens:destroy',
  eventBody: [],
  find: async ({ tx, actor }, { params }) => {
    const session = await lockSession(tx, params['id'], actor)
    return session && { ...session, rowVersion: session.row_version }
  },
  needs: (_found, _request, actor) => onlyPeople(actor),
  run: async ({ tx, actor }, { id, created_by }) => {
    await endSession(tx, id)
    return done({
      event: { source: { type: 'token', id }, attributes: { kind: 'session', created_by } },
      ...(id === actor.session?.id && { headers: { 'set-cookie': noCookie } }),
    })
  },
})
