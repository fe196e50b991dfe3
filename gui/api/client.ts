import { connect, type Sluice } from '#client/sluice.ts'

/** Client of the service that serves this page; requests carry the browser's session cookie by themselves. */

let client: Sluice = connect(location.origin)

/** The client of the current session. Read at each use: signing in replaces it. */
export const sluice = (): Sluice => client

/** Adds the CSRF token that changing requests of a session need; undefined after signing out. */
export function setCsrfToken(csrfToken: string | undefined): void {
  client = csrfToken === undefined ? connect(location.origin) : connect(location.origin, { csrfToken })
}
