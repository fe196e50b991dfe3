import { type BrowserSession, connect, defaultRetries, KnownDocuments, type Sluice } from '#client/sluice.ts'

/** Client of the service that serves this page; requests carry the browser's session cookie by themselves. */

/** Pages read their lists and records again and again; another session begins with none. */
const newClient = (session?: BrowserSession): Sluice =>
  connect(location.origin, session, defaultRetries, new KnownDocuments())

let client = newClient()

/** The client of the current session. Read at each use: signing in replaces it. */
export const sluice = (): Sluice => client

/** Adds the CSRF token that changing requests of a session need; undefined after signing out. */
export function setCsrfToken(csrfToken: string | undefined): void {
  client = newClient(csrfToken === undefined ? undefined : { csrfToken })
}
