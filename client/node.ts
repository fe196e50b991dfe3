import { type Credentials, csrfTokenIn, type Session, startSession } from './sluice.ts'

/** Functions of the client that work in Node but not in a browser, which hides the cookies of responses. */

/**
 * Signs in and starts a session whose cookie the program sends itself. `DELETE /api/tokens/session` ends it.
 *
 * @throws Refused with status 401 if the credentials are wrong
 */
export async function startProgramSession(url: string, credentials: Credentials): Promise<Session> {
  const { text, headers } = await startSession(url, credentials)
  return { cookie: headers.get('set-cookie')!.split(';')[0]!, csrfToken: csrfTokenIn(text) }
}
