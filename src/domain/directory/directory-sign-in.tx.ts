import type { Database } from '#platform/db/database.ts'
import type { Log } from '#platform/domain.ts'
import { failure } from '#platform/failure.ts'
import { type DirectorySource, isSameName, isUsername } from '../users/index.ts'
import { type DirectoryConnection, DirectoryError } from './connection.ts'
import type { Refreshing } from './directory.jobs.ts'
import { cachePeople } from './directory.store.ts'
import { dnKey } from './distinguished-name.ts'
import { type DirectoryPerson, type OpenDirectory, withDirectory } from './ldap.adapter.ts'
import { type DirectoryGroup, membership } from './membership.ts'

/**
 * Verifies passwords by signing in to the directory with them, and stores the person's entry in the cache. No password
 * is stored, so these users cannot sign in while the directory is unavailable.
 */
export function directorySignIn(
  { connection, authorities }: Refreshing,
  { database, log }: { database: Database; log: Log },
): DirectorySource {
  return {
    verify: async (username, password) => {
      try {
        const directory = await connection(database)
        if (!directory || !isUsername(username)) return undefined
        const found = await withDirectory(directory, authorities, open =>
          signIn(open, directory, { username, password, log }),
        )
        if (!found) return undefined
        const { added, changed } = await database.transaction(tx => cachePeople(tx, [found]))
        log.info({ username: found.username, added, changed }, 'user signed in through the directory')
        return directory.cacheSeconds
      } catch (error) {
        if (!(error instanceof DirectoryError)) throw error
        log.warn({ err: error }, 'directory could not check a password')
        throw failure('unavailable', 'The directory is unavailable. Try again later, or use a bearer token.')
      }
    },
  }
}

interface SigningIn {
  readonly username: string
  readonly password: string
  readonly log: Log
}

async function signIn(open: OpenDirectory, directory: DirectoryConnection, { username, password, log }: SigningIn) {
  const people = await open.people(username)
  if (people.length > 1) {
    const entries = people.map(({ dn }) => dn)
    log.warn({ username, entries }, 'several directory entries have this user name; sign-in with it is refused')
  }
  const person = onlyOne(people, username)
  // Also for an unknown user, so that the response takes as long.
  const right = await open.passwordIsRight(
    person?.dn ?? `${directory.users.attribute}=-,${directory.users.base}`,
    password,
  )
  if (!person || !right) return undefined
  const groupnames = membership(await groupsAround(open, person))(person)
  return { username: person.username, display_name: person.displayName, email_address: person.mail, groupnames }
}

/** Directories compare names loosely; a name that is only similar belongs to another person. */
function onlyOne(people: readonly DirectoryPerson[], username: string): DirectoryPerson | undefined {
  const same = people.filter(each => isSameName(each.username, username))
  return same.length === 1 && people.length === 1 ? same[0] : undefined
}

/** Groups of a person, the groups that contain these, and so on. */
async function groupsAround(open: OpenDirectory, person: DirectoryPerson): Promise<DirectoryGroup[]> {
  const found = new Map<string, DirectoryGroup>()
  let next = await open.groups({ dns: [person.dn], username: person.username })
  while (next.length > 0) {
    const fresh = next.filter(({ dn }) => !found.has(dnKey(dn)))
    for (const group of fresh) found.set(dnKey(group.dn), group)
    next = fresh.length > 0 ? await open.groups({ dns: fresh.map(({ dn }) => dn) }) : []
  }
  return [...found.values()]
}
