import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { addressForm, readAddress, readSmtpUrl, type SmtpServer, smtpUrlForm } from '../domain/mail/index.ts'
import { isNetwork } from '../platform/networks.ts'

/** Error of a variable: a description of a valid value that follows "should be". */
export class Wrong {
  readonly shouldBe: string
  constructor(shouldBe: string) {
    this.shouldBe = shouldBe
  }
}

export type Variable<T> = {
  /** Effect of the variable, for `--help`. */
  means: string
  /** Default text; without one the value is undefined when the variable is not set. */
  default?: string
  /** Whether the value is never repeated in a message. */
  secret?: true
  read: (text: string) => T | Wrong
}

/** Environment variables that Sluice reads: the single source of the checks, the types and `--help`. */
export const variables = {
  SLUICE_DATABASE_URL: {
    means: 'PostgreSQL (15 or newer) to use instead of the embedded one',
    secret: true,
    read: databaseUrl,
  },
  SLUICE_DATABASE_DIRECT_URL: {
    means: 'the same database past any pooler, as the role that may change the schema',
    secret: true,
    read: databaseUrl,
  },
  SLUICE_HOST: { means: 'address to listen on', default: '127.0.0.1', read: hostName },
  SLUICE_PORT: { means: 'port to listen on; 0 takes a free one', default: '7890', read: wholeNumber(0, 65_535) },
  SLUICE_DATA_DIR: { means: 'folder of all that Sluice keeps', default: './data', read: text },
  SLUICE_ADMIN_PASSWORD: {
    means: 'password of the first superuser, admin; without it one is made and shown once',
    secret: true,
    read: atLeast(12),
  },
  SLUICE_ROLE: { means: 'what this process does', default: 'all', read: oneOf('all', 'api', 'worker') },
  SLUICE_GIT_PROTOCOLS: {
    means: 'protocols that Git remotes may use, of https, http, ssh, git and file',
    default: 'https,http,ssh,git',
    read: someOf('https', 'http', 'ssh', 'git', 'file'),
  },
  SLUICE_PRIVATE_ADDRESSES: {
    means:
      'private or loopback networks that the service may reach (Git over http, vaults), such as 10.0.0.0/8,127.0.0.1',
    read: networks,
  },
  SLUICE_TRUSTED_PROXIES: {
    means: 'reverse proxies before the service, such as 10.0.0.5,192.168.7.0/24: they say whose request it is',
    read: proxies,
  },
  SLUICE_CA_FILE: {
    means:
      'file (PEM) with certificates of further authorities by which the directory, vaults and the mail server are trusted',
    read: certificates,
  },
  SLUICE_SMTP_URL: {
    means:
      'mail server for what steps send, smtps://user:password@host or smtp://… (STARTTLS); without it none is sent',
    secret: true,
    read: smtpServer,
  },
  SLUICE_MAIL_FROM: { means: 'who that mail is from, such as Sluice <sluice@example.org>', read: mailAddress },
  SLUICE_RUNNER_USER: { means: 'user that actions run as when Sluice is started by root', read: userName },
  SLUICE_RATE_LIMIT: {
    means: 'requests that one user may send a minute; without it as many as they like',
    read: wholeNumber(1, 1_000_000),
  },
  SLUICE_METRICS_TOKEN: {
    means:
      'bearer token by which /metrics may be read; without it and SLUICE_METRICS_ADDRESSES all requests are refused',
    secret: true,
    read: token,
  },
  SLUICE_METRICS_ADDRESSES: {
    means: 'addresses and networks from which /metrics may be read, such as 10.0.0.7,192.168.7.0/24',
    read: addresses,
  },
  SLUICE_LOG_LEVEL: {
    means: 'least severity that is logged',
    default: 'info',
    read: oneOf('debug', 'info', 'warn', 'error'),
  },
  SLUICE_ROOT_KEY: {
    means: 'key over all encrypted data, 32 bytes in base64 or hex; without it root.key in the data folder',
    secret: true,
    read: rootKey,
  },
  SLUICE_NEXT_ROOT_KEY: {
    means: 'key that is to follow SLUICE_ROOT_KEY, until "sluice keys rotate --root" has put it in its place',
    secret: true,
    read: rootKey,
  },
} satisfies Record<string, Variable<unknown>>

export type VariableName = keyof typeof variables

function text(value: string): string {
  return value
}

function wholeNumber(least: number, most: number) {
  return (value: string): number | Wrong => {
    const number = Number(value)
    if (/^\d+$/.test(value) && number >= least && number <= most) return number
    return new Wrong(`a whole number from ${least} to ${most}`)
  }
}

function oneOf<const T extends string>(...words: T[]) {
  return (value: string): T | Wrong => words.find(word => word === value) ?? new Wrong(`one of ${words.join(', ')}`)
}

function networks(value: string): string[] | Wrong {
  const given = value.split(',').map(part => part.trim())
  return given.every(isNetwork) ? given : new Wrong('a list, with commas, of networks such as 10.0.0.0/8')
}

function addresses(value: string): string[] | Wrong {
  const given = networks(value)
  return given instanceof Wrong
    ? new Wrong('a list, with commas, of addresses and networks such as 10.0.0.7,192.168.7.0/24')
    : given
}

/** Parses the trusted proxies. A network of all addresses is refused: it would let anyone claim to be someone else. */
function proxies(value: string): string[] | Wrong {
  const given = networks(value)
  if (!(given instanceof Wrong) && given.every(each => Number(each.split('/')[1] ?? 1) > 0)) return given
  return new Wrong('a list, with commas, of addresses and networks of proxies such as 10.0.0.5,192.168.7.0/24')
}

/** Reads the certificates of a file, once, at the start. */
function certificates(file: string): string | Wrong {
  const pem = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g
  try {
    const found = readFileSync(file, 'utf8').match(pem) ?? []
    for (const each of found) new X509Certificate(each)
    return found.length > 0 ? found.join('\n') : new Wrong('a file with certificates in PEM, and this has none')
  } catch (error) {
    return new Wrong(`a readable file with certificates in PEM (${(error as Error).message})`)
  }
}

function someOf<const T extends string>(...words: T[]) {
  return (value: string): T[] | Wrong => {
    const given = value.split(',').map(part => part.trim())
    const known = words.filter(word => given.includes(word))
    return known.length === new Set(given).size ? known : new Wrong(`a list, with commas, of ${words.join(', ')}`)
  }
}

function atLeast(length: number) {
  return (value: string): string | Wrong =>
    value.length >= length ? value : new Wrong(`at least ${length} characters long`)
}

/** Parses a token that is valid in a header. */
function token(value: string): string | Wrong {
  return /^[\x21-\x7e]{16,}$/.test(value)
    ? value
    : new Wrong('at least 16 letters, digits and signs of ASCII, no spaces')
}

function databaseUrl(value: string): string | Wrong {
  const url = URL.parse(value)
  const right = url && ['postgres:', 'postgresql:'].includes(url.protocol) && url.pathname.length > 1
  return right ? value : new Wrong('a URL such as postgresql://user:password@host:5432/database')
}

function smtpServer(value: string): SmtpServer | Wrong {
  return readSmtpUrl(value) ?? new Wrong(smtpUrlForm)
}

function mailAddress(value: string): string | Wrong {
  return readAddress(value) ? value : new Wrong(addressForm)
}

function hostName(value: string): string | Wrong {
  return /^[\w.:%-]+$/.test(value)
    ? value
    : new Wrong('a host name or an address, without port: 127.0.0.1, 0.0.0.0, ::1')
}

function userName(value: string): string | Wrong {
  return /^[a-z_][\w.-]*\$?$/i.test(value) ? value : new Wrong('the name of a user of this machine')
}

function rootKey(value: string): Buffer | Wrong {
  const key = Buffer.from(value, /^[0-9a-f]{64}$/i.test(value) ? 'hex' : 'base64')
  return key.length === 32 ? key : new Wrong('32 bytes in base64 or hex; "openssl rand -base64 32" makes one')
}
