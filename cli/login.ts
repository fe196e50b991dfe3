import { hostname } from 'node:os'
import { startProgramSession } from '../client/node.ts'
import { connect, Refused, type Resource } from '../client/sluice.ts'
import { ask, askSecret } from './ask.ts'
import { readLogins, writeLogins } from './logins.ts'
import { plainLine } from './plain-text.ts'
import { isLocalhost, normalUrl, serviceUrl } from './session.ts'
import { WrongUsage } from './wrong-usage.ts'

const day = 24 * 60 * 60 * 1_000
const maximumDays = 36_500

/** Signs in with username and password and stores a new token, which `logout` revokes. */
export async function login(
  given: string | undefined,
  { user, days, say }: { user?: string | undefined; days: number; say: (line: string) => void },
): Promise<void> {
  if (!(days > 0 && days <= maximumDays))
    throw new WrongUsage(`--days should be a number greater than 0 and at most ${maximumDays}.`)
  const url = given ? normalUrl(given) : urlToSignIn()
  if (url.startsWith('http:') && !isLocalhost(url))
    say(`Warning: ${url} is not encrypted, so the password is sent in clear text.`)
  const username = user ?? (await ask('User: '))
  const password = await askSecret(`Password for ${username} at ${url}: `)
  // A session works even if Basic authentication is disabled for other requests.
  const sluice = connect(url, await startProgramSession(url, { user: username, password }))
  const expires = new Date(Date.now() + days * day).toISOString()
  const made = await sluice.send('POST', '/api/tokens', {
    data: { attributes: { description: `sluice login on ${hostname()}`, expires_at: expires } },
  })
  const token = made?.data as Resource<{ expires_at: string }>
  const before = readLogins()
  const replaced = before.services[url]
  writeLogins({
    current: url,
    services: {
      ...before.services,
      [url]: {
        token: String(made?.meta?.['token']),
        token_id: token.id,
        username,
        expires_at: token.attributes.expires_at,
      },
    },
  })
  await sluice.remove('/api/tokens/session')
  // Otherwise the token of the earlier login would remain valid without being stored anywhere.
  if (replaced) await revoke(url, replaced)
  say(`Signed in to ${url} as ${plainLine(username)} until ${token.attributes.expires_at.slice(0, 10)}.`)
}

function urlToSignIn(): string {
  const { current } = readLogins()
  if (!process.env['SLUICE_URL'] && !current)
    throw new WrongUsage('Specify the URL of the service: sluice login https://sluice.example.org')
  return serviceUrl()
}

/** Revokes and deletes the stored token, even if it is no longer valid. */
export async function logout(given: string | undefined, say: (line: string) => void): Promise<void> {
  const url = serviceUrl(given)
  const { current, services } = readLogins()
  const { [url]: kept, ...others } = services
  if (!kept) {
    say(`You are not signed in to ${url}.`)
    return
  }
  const wasValid = await revoke(url, kept)
  writeLogins({ ...(current !== url && { current }), services: others })
  say(wasValid ? `Signed out of ${url} and revoked the token.` : `Signed out of ${url}; the token was no longer valid.`)
}

/** @returns false if the token was no longer valid */
async function revoke(url: string, { token, token_id: id }: { token: string; token_id: string }): Promise<boolean> {
  try {
    await connect(url, { token }).call('DELETE /api/tokens/{id}', { path: { id } })
    return true
  } catch (error) {
    if (error instanceof Refused && (error.status === 401 || error.status === 404)) return false
    throw error
  }
}
