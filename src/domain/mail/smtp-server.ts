/** The mail server of the installation. */
export interface SmtpServer {
  readonly host: string
  readonly port: number
  /** Start of TLS: from the first byte (`smtps`), before any other command (`starttls`), or not at all. */
  readonly tls: 'smtps' | 'starttls' | 'none'
  readonly login: { readonly user: string; readonly password: string } | undefined
}

/**
 * Reads the URL of a mail server (pure): `smtps://user:password@host:465`, `smtp://user:password@host:587` (with
 * STARTTLS, or not at all), and `smtp://host:25?tls=none` for a relay without TLS. A password would be sent in clear,
 * so none is allowed there. Undefined for everything else.
 */
export function readSmtpUrl(text: string): SmtpServer | undefined {
  const url = URL.parse(text)
  if (!url || !['smtp:', 'smtps:'].includes(url.protocol) || url.hostname === '') return undefined
  if (!['', '/'].includes(url.pathname) || url.hash !== '' || !['', '?tls=none'].includes(url.search)) return undefined
  const tls = url.protocol === 'smtps:' ? 'smtps' : url.search === '' ? 'starttls' : 'none'
  const login = loginOf(url)
  if (login === 'half' || (tls === 'none' && login) || (tls === 'smtps' && url.search !== '')) return undefined
  return {
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: Number(url.port || { smtps: 465, starttls: 587, none: 25 }[tls]),
    tls,
    login,
  }
}

/** Words that follow "should be". */
export const smtpUrlForm =
  'smtps://user:password@host:465, smtp://user:password@host:587 (which has to offer STARTTLS), or smtp://host:25?tls=none without a password; what is no letter or digit in user and password as %40'

function loginOf({ username, password }: URL): SmtpServer['login'] | 'half' {
  if (username === '' && password === '') return undefined
  if (username === '' || password === '') return 'half'
  try {
    return { user: decodeURIComponent(username), password: decodeURIComponent(password) }
  } catch {
    return 'half'
  }
}
