import { createContext, type ReactNode, use, useCallback, useEffect, useMemo, useState } from 'react'
import { type Credentials, Refused, signIn as startSession } from '#client/sluice.ts'
import { setCsrfToken, sluice } from './client.ts'
import { onSessionEnd, queryClient } from './query-client.ts'
import type { Resource, User } from './records.ts'

/**
 * State of the session:
 *
 * * `loading`: the page has just been opened
 * * `none`: not signed in
 * * `open`: signed in
 * * `ended`: the session has expired or was ended elsewhere while the page is open; signing in again continues on it
 */
export type SessionState = 'loading' | 'none' | 'open' | 'ended' | 'unreachable'

interface Session {
  readonly state: SessionState
  /** The signed-in user; also while the state is `ended`. */
  readonly user: Resource<User> | undefined
  /** @throws Refused with status 401 if the credentials are wrong; Error if the browser did not keep the cookie */
  readonly signIn: (credentials: Credentials) => Promise<void>
  readonly signOut: () => Promise<void>
  /** Reads the signed-in user again, after the profile has been changed. */
  readonly reload: () => Promise<void>
  /** Tries again to reach the service. */
  readonly retry: () => void
}

/** The browser did not keep the session cookie, which it does only over HTTPS or on localhost; Safari only over HTTPS. */
export class CookieRefused extends Error {}

const SessionContext = createContext<Session | undefined>(undefined)

export function useSession(): Session {
  const session = use(SessionContext)
  if (!session) throw new Error('useSession needs a SessionProvider')
  return session
}

/** The signed-in user. Only for what is rendered within a session. */
export function useMe(): Resource<User> {
  const { user } = useSession()
  if (!user) throw new Error('useMe needs an open session')
  return user
}

async function readUser(): Promise<Resource<User> | undefined> {
  try {
    const user = await sluice().show<User>('/api/me')
    const token = user.meta?.['csrf_token']
    // Absent if the browser sent other credentials that it remembers; changing requests are then refused.
    if (typeof token === 'string') setCsrfToken(token)
    return user
  } catch (error) {
    if (error instanceof Refused && error.status === 401) return undefined
    throw error
  }
}

export function SessionProvider({ children }: { children: ReactNode }) {
  const [state, setState] = useState<SessionState>('loading')
  const [user, setUser] = useState<Resource<User>>()

  const load = useCallback(() => {
    setState('loading')
    readUser().then(
      found => {
        setUser(found)
        setState(found ? 'open' : 'none')
      },
      () => setState('unreachable'),
    )
  }, [])
  useEffect(load, [load])
  useEffect(() => onSessionEnd(() => setState(now => (now === 'open' ? 'ended' : now))), [])

  const session = useMemo<Session>(
    () => ({
      state,
      user,
      retry: load,
      reload: async () => setUser(await readUser()),
      signIn: async credentials => {
        setCsrfToken((await startSession(location.origin, credentials)).csrfToken)
        const found = await readUser()
        if (!found) throw new CookieRefused()
        // Another person must not see what the previous one was allowed to read.
        if (user && found.id !== user.id) queryClient.clear()
        else void queryClient.invalidateQueries()
        setUser(found)
        setState('open')
      },
      signOut: async () => {
        await sluice().send('DELETE', '/api/tokens/session')
        setCsrfToken(undefined)
        queryClient.clear()
        setUser(undefined)
        setState('none')
      },
    }),
    [state, user, load],
  )
  return <SessionContext value={session}>{children}</SessionContext>
}
