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
import { asOneLine, isOneLine } from '#platform/display-name.ts'
import { type DirectoryConnection, DirectoryError } from './connection.ts'
import { directoryReason } from './directory-reason.ts'
import { dnKey } from './distinguished-name.ts'
import type { DirectoryGroup } from './membership.ts'
import { type Ranged, rangeOf } from './value-range.ts'

/** Person as read from the directory. */
export interface DirectoryPerson {
  readonly dn: string
  readonly username: string
  readonly displayName: string | null
  readonly mail: string | null
}

/** An open connection, signed in as the searching user. */
export interface OpenDirectory {
  /** People of the directory: all, or those of one name. */
  people(username?: string): Promise<DirectoryPerson[]>
  /** Groups of the directory: all, or those with these members. */
  groups(ofMembers?: MembersRequest): Promise<DirectoryGroup[]>
  /** Whether this is the password of the entry; afterwards the connection is signed in as before. */
  passwordIsRight(dn: string, password: string): Promise<boolean>
}

/** Text of the filters that people and groups are searched with, for events. */
export const filterOfPeople = (directory: DirectoryConnection): string => peopleFilter(directory).toString()
export const filterOfGroups = (): string => groupFilter.toString()

/**
 * Opens a connection to the directory for `work` and closes it. Over TLS its certificate is checked against the name in
 * ldap.host, by the authorities that Node knows and the given ones.
 *
 * @throws DirectoryError for any failure of the connection
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
    const why = redacted(directoryReason(error), told)
    throw new DirectoryError(`The directory ${directory.host}:${directory.port} cannot be asked: ${why}`)
  } finally {
    for (const socket of sockets) socket.destroy()
  }
}

/** Text of a directory without these words: it may quote its input, and its messages go into events and logs. */
const redacted = (text: string, told: Iterable<string>): string =>
  [...told].filter(Boolean).reduce((clean, word) => clean.replaceAll(word, '***'), text)

/**
 * The library reconnects by itself when a connection breaks, and does so without TLS even if the first was upgraded to
 * TLS: an attacker who breaks the connection would get a password in clear. So there is one connection, and no
 * reconnect.
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

/** The library has no time limit for a handshake. */
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

/** @param told passwords sent to the directory; each tried one is added */
function opened(client: Client, directory: DirectoryConnection, told: Set<string>): OpenDirectory {
  const { users, groups, mailAttribute, searchSeconds } = directory
  const search = async (base: string, filter: Filter, attributes: string[]): Promise<Entry[]> => {
    const options = { scope: 'sub', filter, attributes, paged: { pageSize: 500 }, timeLimit: searchSeconds } as const
    return (await client.search(base, options)).searchEntries
  }
  const readRange: ReadRange = async (dn, attribute) => {
    const options = { scope: 'base' as const, filter: anything, attributes: [attribute], timeLimit: searchSeconds }
    return (await client.search(dn, options)).searchEntries[0]
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
      const found = await search(groups.base, filter, [groups.attribute, ...memberAttributes])
      const complete: DirectoryGroup[] = []
      for (const entry of found) {
        const name = first(entry, groups.attribute) ?? ''
        if (name !== '') complete.push(await groupOf(entry, name, of, readRange))
      }
      return complete
    },
    passwordIsRight: async (dn, password) => {
      // A bind with an empty password is anonymous: it reports success without signing in a user (RFC 4513).
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

/**
 * Result codes that refuse a sign-in because the password is wrong or the account is locked, expired or not meant for
 * signing in: invalidCredentials, inappropriateAuthentication, and codes for closed accounts.
 */
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

interface MembersRequest {
  readonly dns: readonly string[]
  readonly username?: string
}

const holds = ({ dns, username }: MembersRequest): Filter =>
  new OrFilter({
    filters: [
      ...dns.flatMap(value => ['member', 'uniqueMember'].map(attribute => new EqualityFilter({ attribute, value }))),
      ...(username === undefined ? [] : [new EqualityFilter({ attribute: 'memberUid', value: username })]),
    ],
  })

const memberAttributes = ['member', 'uniqueMember', 'memberUid']
const anything = new PresenceFilter({ attribute: 'objectClass' })

type ReadRange = (dn: string, attribute: string) => Promise<Entry | undefined>

/**
 * A group with all of its members; in a search by members, with as many as needed to find them. Active Directory
 * returns the first 1,500 members as `member;range=0-1499`, and the others on request.
 */
async function groupOf(
  entry: Entry,
  name: string,
  of: MembersRequest | undefined,
  readRange: ReadRange,
): Promise<DirectoryGroup> {
  const asked = new Set([...(of?.dns.map(dnKey) ?? []), ...(of?.username === undefined ? [] : [of.username])])
  const has = (attribute: string, found: readonly string[]) =>
    of !== undefined && found.some(each => asked.has(attribute === 'memberUid' ? each : dnKey(dnOf(each))))
  const all = async (attribute: string): Promise<string[]> => {
    const found = values(entry, attribute)
    let range = rangeOf(entry, attribute)
    if (range) found.push(...range.values)
    while (range?.next !== undefined && !has(attribute, found)) {
      const more: Ranged | undefined = rangeOf((await readRange(entry.dn, range.next)) ?? {}, attribute)
      if (!more || more.from !== range.to + 1) {
        throw new DirectoryError(`The directory did not return the rest of the members of ${entry.dn} (${range.next}).`)
      }
      found.push(...more.values)
      range = more
    }
    return found
  }
  return {
    dn: entry.dn,
    name,
    members: [...(await all('member')), ...(await all('uniqueMember')).map(dnOf)],
    memberNames: await all('memberUid'),
  }
}

/**
 * Distinguished name of a member. A unique member may have a number behind its name (RFC 4517, Name and Optional UID).
 */
const dnOf = (member: string): string => member.replace(/#'[01]*'B$/, '')

/**
 * Name shortened to 255 characters, by characters: half of one could not be stored, and would end a refresh for
 * everybody.
 */
const shortened = (name: string | null): string | null => name && [...name].slice(0, 255).join('')

/** Mail address of an attribute; null where it could not be stored, or only a part of it, which would be another. */
const addressIn = (text: string | undefined): string | null =>
  text !== undefined && text.length <= 255 && isOneLine(text) ? text : null

/** Values of an attribute. Servers return names of attributes in any case. */
function values(entry: Entry, attribute: string): string[] {
  const name = Object.keys(entry).find(each => each.toLowerCase() === attribute.toLowerCase())
  return name === undefined ? [] : [entry[name]!].flat().map(String)
}

const first = (entry: Entry, attribute: string): string | undefined =>
  values(entry, attribute)[0]?.normalize('NFC') || undefined
