import { connect, type Retries, type Sluice } from '../client/sluice.ts'
import { readLogins } from './logins.ts'
import { WrongUsage } from './wrong-usage.ts'

/** Thrown if there is no stored login for the service. */
export class NotSignedIn extends Error {}

/**
 * Client for the signed-in user. The URL comes from `--url`, SLUICE_URL or the last login; the token from SLUICE_TOKEN
 * or the stored login.
 */
export function session(givenUrl?: string, retries?: Retries): Sluice {
  const url = serviceUrl(givenUrl)
  const token = tokenOfEnvironment() || readLogins().services[url]?.token
  if (!token) throw new NotSignedIn(`You are not signed in to ${url}. Run: sluice login ${url}`)
  return connect(url, { token }, retries)
}

export const tokenOfEnvironment = (): string | undefined => process.env['SLUICE_TOKEN']

export function serviceUrl(given?: string): string {
  const url = given || process.env['SLUICE_URL'] || readLogins().current
  if (!url) throw new NotSignedIn('No service is configured. Sign in first: sluice login https://sluice.example.org')
  return normalUrl(url)
}

/** Completes a URL: the default scheme is https, or http for the local machine. */
export function normalUrl(text: string): string {
  const whole = /^https?:\/\//.test(text) ? text : `${isLocalhost(text) ? 'http' : 'https'}://${text}`
  if (!URL.canParse(whole)) throw new WrongUsage(`"${text}" is not a URL. Example: https://sluice.example.org`)
  const { origin, hostname } = new URL(whole)
  if (!hostname) throw new WrongUsage(`"${text}" has no host name.`)
  return origin
}

export const isLocalhost = (text: string): boolean =>
  /^(?:https?:\/\/)?(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])(?::|\/|$)/.test(text)
