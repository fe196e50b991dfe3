import { hostname } from 'node:os'
import { beginSession, connect, Refused, type Resource } from '../client/sluice.ts'
import { ask, askSecretly } from './ask.ts'
import { readLogins, writeLogins } from './logins.ts'
import { plainLine } from './plain-text.ts'
import { isThisMachine, normalUrl, serviceUrl } from './session.ts'
import { WrongUsage } from './wrong-usage.ts'

const day = 24 * 60 * 60 * 1_000
const mostDays = 36_500

/** Signs in with name and password once, and keeps a token of its own that `logout` revokes. */
export async function login(
  given: string | undefined,
  { user, days, say }: { user?: string | undefined; days: number; say: (line: string) => void },
): Promise<void> {
  if (!(days > 0 && days <= mostDays))
    throw new WrongUsage(
      `--days should be a number above 0 and of at most ${mostDays}: how long the token is good for.`,
    )
  const url = given ? normalUrl(given) : whereToSignIn()
  if (url.startsWith('http:') && !isThisMachine(url))
    say(`${url} is not encrypted: the password can be read on its way.`)
  const username = user ?? (await ask('User: '))
  const password = await askSecretly(`Password of ${username} at ${url}: `)
  // Where name and password are not taken with each request, they still begin a session.
  const sluice = connect(url, await beginSession(url, { user: username, password }))
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
  // The token of an earlier login would stay valid, and nobody would know it any more.
  if (replaced) await revoke(url, replaced)
  say(`Signed in at ${url} as ${plainLine(username)} until ${token.attributes.expires_at.slice(0, 10)}.`)
}

function whereToSignIn(): string {
  const { current } = readLogins()
  if (!process.env['SLUICE_URL'] && !current) throw new WrongUsage('Where? sluice login https://sluice.example.org')
  return serviceUrl()
}

/** Revokes the token and forgets it; it is forgotten also when it was not valid any more. */
export async function logout(given: string | undefined, say: (line: string) => void): Promise<void> {
  const url = serviceUrl(given)
  const { current, services } = readLogins()
  const { [url]: kept, ...others } = services
  if (!kept) {
    say(`You were not signed in at ${url}.`)
    return
  }
  const wasValid = await revoke(url, kept)
  writeLogins({ ...(current !== url && { current }), services: others })
  say(
    wasValid
      ? `Signed out at ${url}; the token is revoked.`
      : `Signed out at ${url}; the token was not valid any more.`,
  )
}

/** @returns false when the service did not take it any more. */
async function revoke(url: string, { token, token_id: id }: { token: string; token_id: string }): Promise<boolean> {
  try {
    await connect(url, { token }).call('DELETE /api/tokens/{id}', { path: { id } })
    return true
  } catch (error) {
    if (error instanceof Refused && (error.status === 401 || error.status === 404)) return false
    throw error
  }
}
