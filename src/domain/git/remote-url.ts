/** Rules on addresses of Git remotes: over text, without any network access. */

export type GitProtocol = 'https' | 'http' | 'ssh' | 'git' | 'file'

export interface RemoteUrl {
  readonly protocol: GitProtocol
  readonly host: string
  readonly port: string
  readonly path: string
  /** User that the URL names, as in `git@host:path`; only ssh takes one there. */
  readonly user: string | null
}

export type UrlReading = RemoteUrl | { readonly wrong: string }

/**
 * Parses `https://host/path`, `ssh://user@host/path`, `user@host:path`, `git://…` and `file:///path`, each only when
 * its protocol is allowed. Git itself accepts more (`ext::` runs a program, a bare path is a folder of this machine),
 * so the form is checked here and the protocol again by git.
 */
export function readRemoteUrl(text: string, allowed: readonly GitProtocol[]): UrlReading {
  if (text.length > 2_048) return { wrong: 'A URL has at most 2,048 characters.' }
  if (hasOddCharacters(text)) return { wrong: 'A URL holds no blanks, control characters or backslashes.' }
  const parts = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? readUrl(text) : readScpForm(text)
  if ('wrong' in parts) return parts
  if (!allowed.includes(parts.protocol)) return { wrong: notAllowed(parts.protocol, allowed) }
  return faultOf(parts) ?? parts
}

/** Host and repository: the parts that never change while the remote exists. */
export const repositoryOf = ({ host, path }: RemoteUrl): string =>
  `${host}/${path.replace(/^\/+|\/+$/g, '').replace(/\.git$/, '')}`

/** Scheme and port: may change, together with the credentials. */
export const transportOf = ({ protocol, port }: RemoteUrl): string => `${protocol}:${port}`

function readUrl(text: string): UrlReading {
  const url = URL.parse(text)
  if (!url) return { wrong: `"${text}" is no URL.` }
  const protocol = url.protocol.slice(0, -1)
  if (!isProtocol(protocol)) return { wrong: `Git remotes are reached by ${list(protocols)}, not by "${protocol}".` }
  if (url.search || url.hash) return { wrong: 'The URL of a Git remote has neither a query nor a fragment.' }
  if (url.password) return { wrong: 'A password does not belong into the URL: give it as "password".' }
  if (url.username && protocol !== 'ssh') return { wrong: 'A user does not belong into the URL: give it as "user".' }
  const host = url.hostname.toLowerCase()
  return { protocol, host, port: url.port, path: url.pathname, user: url.username || null }
}

/** `user@host:path`, which is ssh. */
function readScpForm(text: string): UrlReading {
  const parts = /^(?:([^@/:]+)@)?([^@/:]+):(?!:)(.+)$/.exec(text)
  if (!parts) return { wrong: `"${text}" is no URL: write https://host/path, or file:///path for a folder.` }
  const [, user, host, path] = parts
  return { protocol: 'ssh', host: host!.toLowerCase(), port: '', path: path!, user: user ?? null }
}

function faultOf({ protocol, host, path, user }: RemoteUrl): { wrong: string } | undefined {
  if (protocol === 'file' ? host !== '' && host !== 'localhost' : host === '')
    return { wrong: protocol === 'file' ? 'A file URL has three slashes: file:///path.' : 'The URL has no host.' }
  if (path.replaceAll('/', '') === '') return { wrong: 'The URL names no repository.' }
  // Other programs could parse them as options.
  if ([host, user ?? '', protocol === 'ssh' ? path : ''].some(part => part.startsWith('-')))
    return { wrong: 'Neither user, host nor path begins with a hyphen.' }
  return undefined
}

const protocols: readonly GitProtocol[] = ['https', 'http', 'ssh', 'git', 'file']
const isProtocol = (word: string): word is GitProtocol => protocols.includes(word as GitProtocol)
const list = (words: readonly string[]): string => words.join(', ')

const notAllowed = (protocol: GitProtocol, allowed: readonly GitProtocol[]): string =>
  `Git remotes by "${protocol}" are not allowed here; allowed: ${list(allowed)} (SLUICE_GIT_PROTOCOLS).`

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const hasOddCharacters = (text: string): boolean => /[\s\u0000-\u001f\u007f\\]/.test(text)
