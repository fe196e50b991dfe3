import net from 'node:net'
import tls from 'node:tls'
import {
  AndFilter,
  Client,
  type Entry,
  EqualityFilter,
  type Filter,
  FilterParser,
  OrFilter,
  PresenceFilter,
  ResultCodeError,
} from 'ldapts'
import { asOneLine, standsOnOneLine } from '#platform/one-line.ts'
import { type DirectoryConnection, DirectoryError } from './connection.ts'
import type { DirectoryGroup } from './membership.ts'

/** Somebody as the directory has them. */
export interface DirectoryPerson {
  readonly dn: string
  readonly username: string
  readonly displayName: string | null
  readonly mail: string | null
}

/** An open connection, signed in as the one who searches. */
export interface OpenDirectory {
  /** Everybody, or those of one name. */
  people(username?: string): Promise<DirectoryPerson[]>
  /** Every group, or those that these names are members of. */
  groups(ofMembers?: { dns: readonly string[]; username?: string }): Promise<DirectoryGroup[]>
  /** Whether this is the password of this entry; the connection is signed in as before afterwards. */
  passwordIsRight(dn: string, password: string): Promise<boolean>
}

/** How the filters read that people and groups are searched with, as events tell them. */
export const filterOfPeople = (directory: DirectoryConnection): string => peopleFilter(directory).toString()
export const filterOfGroups = (): string => groupFilter.toString()

/**
 * Works on one connection to the directory and closes it. Over TLS its certificate is checked against the name in
 * ldap.host, by the authorities that Node knows and those given.
 *
 * @throws DirectoryError whatever goes wrong on the way
 */
export async function withDirectory<T>(
  directory: DirectoryConnection,
  authorities: string | undefined,
  work: (open: OpenDirectory) => Promise<T>,
): Promise<T> {
  const sockets: net.Socket[] = []
  const client = clientOf(directory, authorities, sockets)
  const told = new Set(directory.bind ? [directory.bind.password] : [])
  try {
    return await within(directory.searchSeconds * 4, sockets, async () => {
      if (directory.tls === 'starttls') await client.startTLS(tlsOptions(directory, authorities))
      await bindSearcher(client, directory)
      return work(opened(client, directory, told))
    })
  } catch (error) {
    if (error instanceof DirectoryError) throw error
    const why = withoutWords(reason(error), told)
    throw new DirectoryError(`The directory ${directory.host}:${directory.port} cannot be asked: ${why}`)
  } finally {
    for (const socket of sockets) socket.destroy()
  }
}

const reason = (error: unknown): string => {
  const { message, code } = error as { message?: string; code?: unknown }
  return [message || String(error), ...(typeof code === 'string' && !message?.includes(code) ? [code] : [])].join(' ')
}

/** A directory may say again what it was told, and what it says goes into events and logs. */
const withoutWords = (text: string, told: Iterable<string>): string =>
  [...told].filter(Boolean).reduce((clean, word) => clean.replaceAll(word, '***'), text)

/**
 * The library connects anew by itself when a connection breaks, and does so in clear where the first had been turned to
 * TLS: a password would go out unsealed to whoever broke it. So there is one connection, and then no other.
 */
function clientOf(directory: DirectoryConnection, authorities: string | undefined, sockets: net.Socket[]): Client {
  const once = <S extends net.Socket>(connect: () => S): S => {
    if (sockets.length > 0) throw new DirectoryError('The connection to the directory broke.')
    const socket = connect()
    sockets.push(socket)
    return socket
  }
  const { host, port } = directory
  const seconds = directory.searchSeconds
  const name = net.isIPv6(host) ? `[${host}]` : host
  return new Client({
    url: `${directory.tls === 'ldaps' ? 'ldaps' : 'ldap'}://${name}:${port}`,
    timeout: seconds * 1_000,
    connectTimeout: Math.min(seconds, 10) * 1_000,
    strictDN: false,
    createConnection: (() => once(() => net.connect(port, host))) as typeof net.connect,
    ...(directory.tls === 'ldaps' && {
      tlsOptions: tlsOptions(directory, authorities),
      createSecureConnection: (() =>
        once(() => tls.connect({ ...tlsOptions(directory, authorities), port }))) as () => tls.TLSSocket,
    }),
  })
}

const tlsOptions = ({ host }: DirectoryConnection, authorities: string | undefined): tls.ConnectionOptions => ({
  host,
  ...(net.isIP(host) === 0 && { servername: host }),
  minVersion: 'TLSv1.2',
  ...(authorities && { ca: [...tls.getCACertificates('default'), authorities] }),
})

/** A handshake that never ends has no time limit in the library. */
async function within<T>(seconds: number, sockets: readonly net.Socket[], work: () => Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    late.reject(new Error(`no end after ${seconds} s`))
    for (const socket of sockets) socket.destroy()
  }, seconds * 1_000)
  try {
    return await Promise.race([work(), late.promise])
  } finally {
    clearTimeout(timer)
  }
}

async function bindSearcher(client: Client, { bind }: DirectoryConnection): Promise<void> {
  if (bind) await client.bind(bind.dn, bind.password)
}

/** @param told passwords that the directory has been told, to which those that are tried come */
function opened(client: Client, directory: DirectoryConnection, told: Set<string>): OpenDirectory {
  const { users, groups, mailAttribute, searchSeconds } = directory
  const search = async (base: string, filter: Filter, attributes: string[]): Promise<Entry[]> => {
    const options = { scope: 'sub', filter, attributes, paged: { pageSize: 500 }, timeLimit: searchSeconds } as const
    return (await client.search(base, options)).searchEntries
  }
  return {
    people: async username => {
      const named = username === undefined ? [] : [new EqualityFilter({ attribute: users.attribute, value: username })]
      const filter = new AndFilter({ filters: [peopleFilter(directory), ...named] })
      const found = await search(users.base, filter, [users.attribute, mailAttribute, 'displayName', 'cn'])
      return found.map(entry => ({
        dn: entry.dn,
        username: first(entry, users.attribute) ?? '',
        displayName: shortened(asOneLine(first(entry, 'displayName') ?? first(entry, 'cn') ?? '')),
        mail: addressIn(first(entry, mailAttribute)),
      }))
    },
    groups: async of => {
      const filter = of ? new AndFilter({ filters: [groupFilter, holds(of)] }) : groupFilter
      const found = await search(groups.base, filter, [groups.attribute, 'member', 'uniqueMember', 'memberUid'])
      return found.map(entry => groupOf(entry, groups.attribute)).filter(({ name }) => name !== '')
    },
    passwordIsRight: async (dn, password) => {
      // An empty password is no password to a directory: it signs nobody in, and says that it went well (RFC 4513).
      if (password === '') return false
      told.add(password)
      const right = await client.bind(dn, password).then(
        () => true,
        (error: unknown) => {
          if (error instanceof ResultCodeError && refusals.has(error.code)) return false
          throw error
        },
      )
      await bindSearcher(client, directory)
      return right
    },
  }
}

/** Wrong, locked, expired or not meant for signing in: invalidCredentials, inappropriateAuthentication, and what servers say of closed accounts. */
const refusals = new Set([19, 32, 34, 48, 49, 50, 53])

const peopleFilter = ({ users }: DirectoryConnection): Filter =>
  new AndFilter({ filters: [parsed(users.filter), new PresenceFilter({ attribute: users.attribute })] })

function parsed(filter: string): Filter {
  try {
    return FilterParser.parseString(filter)
  } catch (error) {
    throw new DirectoryError(`ldap.user_filter is no filter: ${(error as Error).message}`)
  }
}

const classes = ['groupOfNames', 'groupOfUniqueNames', 'posixGroup', 'group']
const groupFilter: Filter = new OrFilter({
  filters: classes.map(value => new EqualityFilter({ attribute: 'objectClass', value })),
})

const holds = ({ dns, username }: { dns: readonly string[]; username?: string }): Filter =>
  new OrFilter({
    filters: [
      ...dns.flatMap(value => ['member', 'uniqueMember'].map(attribute => new EqualityFilter({ attribute, value }))),
      ...(username === undefined ? [] : [new EqualityFilter({ attribute: 'memberUid', value: username })]),
    ],
  })

function groupOf(entry: Entry, attribute: string): DirectoryGroup {
  const inParts = Object.keys(entry).find(name => /^(member|uniqueMember);range=/i.test(name))
  if (inParts) {
    throw new DirectoryError(
      `The directory tells the members of ${entry.dn} in parts (${inParts}), which is not supported: raise its limit of values.`,
    )
  }
  return {
    dn: entry.dn,
    name: first(entry, attribute) ?? '',
    members: [...values(entry, 'member'), ...values(entry, 'uniqueMember')],
    memberNames: values(entry, 'memberUid'),
  }
}

/** By characters: half of one could not be stored, and would end a refresh for everybody. */
const shortened = (name: string | null): string | null => name && [...name].slice(0, 255).join('')

/** None where it could not be kept, or only a part of it, which would be another. */
const addressIn = (text: string | undefined): string | null =>
  text !== undefined && text.length <= 255 && standsOnOneLine(text) ? text : null

/** Names of attributes are told in whatever case the server likes. */
function values(entry: Entry, attribute: string): string[] {
  const name = Object.keys(entry).find(each => each.toLowerCase() === attribute.toLowerCase())
  return name === undefined ? [] : [entry[name]!].flat().map(String)
}

const first = (entry: Entry, attribute: string): string | undefined =>
  values(entry, attribute)[0]?.normalize('NFC') || undefined
