import { connect, type Patience, type Sluice } from '../client/sluice.ts'
import { readLogins } from './logins.ts'
import { WrongUsage } from './wrong-usage.ts'

/** Nobody has signed in there from here. */
export class NotSignedIn extends Error {}

/**
 * The service, as who signed in. Its address: `--url`, SLUICE_URL, or the one of the last login; the token:
 * SLUICE_TOKEN, or what the login there left.
 */
export function session(givenUrl?: string, patience?: Patience): Sluice {
  const url = serviceUrl(givenUrl)
  const token = tokenOfEnvironment() || readLogins().services[url]?.token
  if (!token) throw new NotSignedIn(`You are not signed in at ${url}: sluice login ${url}`)
  return connect(url, { token }, patience)
}

export const tokenOfEnvironment = (): string | undefined => process.env['SLUICE_TOKEN']

export function serviceUrl(given?: string): string {
  const url = given || process.env['SLUICE_URL'] || readLogins().current
  if (!url) throw new NotSignedIn('Which service? Sign in first: sluice login https://sluice.example.org')
  return normalUrl(url)
}

/** `sluice.example.org` is `https://sluice.example.org`; this machine itself may be spoken to in the clear. */
export function normalUrl(text: string): string {
  const whole = /^https?:\/\//.test(text) ? text : `${isThisMachine(text) ? 'http' : 'https'}://${text}`
  if (!URL.canParse(whole)) throw new WrongUsage(`"${text}" is no URL. It looks like https://sluice.example.org`)
  const { origin, hostname } = new URL(whole)
  if (!hostname) throw new WrongUsage(`"${text}" names no host.`)
  return origin
}

export const isThisMachine = (text: string): boolean =>
  /^(?:https?:\/\/)?(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])(?::|\/|$)/.test(text)
