/** Credentials of a request: HTTP Basic, or a bearer token. */
export type Credentials =
  | { kind: 'basic'; username: string; password: string }
  | { kind: 'bearer'; token: string }
  /** Invalid credentials: the response is the same as for wrong ones. */
  | { kind: 'none'; why: string }

/**
 * Parses the header Authorization (pure). Text is UTF-8, as the challenge says; user names are compared in their NFC
 * form.
 */
export function readCredentials(header: string | undefined): Credentials {
  if (!header) return { kind: 'none', why: 'Sign in with HTTP Basic or a bearer token.' }
  const [, scheme = '', rest = ''] = /^([!-~]+) +(.*)$/.exec(header.trim()) ?? []
  if (scheme.toLowerCase() === 'bearer' && /^[\w.~+/=-]+$/.test(rest)) return { kind: 'bearer', token: rest }
  if (scheme.toLowerCase() !== 'basic') return { kind: 'none', why: 'Authorization should be Basic or Bearer.' }
  const text = decode(rest)
  const colon = text?.indexOf(':') ?? -1
  if (text === undefined || colon < 1) {
    return { kind: 'none', why: 'Authorization: Basic should be base64 of "<user name>:<password>" in UTF-8.' }
  }
  return { kind: 'basic', username: text.slice(0, colon).normalize('NFC'), password: text.slice(colon + 1) }
}

function decode(base64: string): string | undefined {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) return undefined
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.from(base64, 'base64'))
    return text.includes('\0') ? undefined : text
  } catch {
    return undefined
  }
}
