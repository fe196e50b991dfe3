import { theService } from '#platform/actor.ts'
import type { Queries, Tx } from '#platform/db/database.ts'
import type { Job, Runtime } from '#platform/domain.ts'
import type { NewEvent } from '#platform/events.ts'
import { Failure } from '#platform/failure.ts'
import { globalSettings } from '../settings/index.ts'
import { isUsername } from '../users/index.ts'
import { type DirectoryConnection, DirectoryError } from './connection.ts'
import {
  beginRefresh,
  cacheGroups,
  cachePeople,
  dropPeople,
  endRefresh,
  failRefresh,
  lockRefresh,
  takeDueRefresh,
  whatIsCached,
} from './directory.store.ts'
import { type DirectoryPerson, filterOfGroups, filterOfPeople, withDirectory } from './ldap.adapter.ts'
import { type DirectoryGroup, isGroupName, membership } from './membership.ts'
import { looseName, sharedNames, warningOfShared } from './shared-names.ts'

export interface Refreshing {
  /** @throws DirectoryError for incomplete settings */
  connection: (queries: Queries) => Promise<DirectoryConnection | undefined>
  /** Certificates (PEM) of authorities beyond those that Node knows. */
  authorities: string | undefined
  /** Refuses a change that would remove the last superuser. @throws Failure */
  keepLastSuperuser: (tx: Tx) => Promise<void>
}

export const refreshJob = 'directory.refresh'

export const noDirectory = 'There is no directory: the setting ldap.host names one.'

type By = NewEvent['actor']

/** Full refreshes of people and groups: at each interval, and when a superuser asks. */
export const directoryJobs = (options: Refreshing): readonly Job[] => [
  {
    name: refreshJob,
    outside: true,
    run: async ({ by }: { by: By }, runtime) => {
      const { at } = await beginRefresh(runtime.database)
      await refresh(options, runtime, at, by)
    },
  },
  {
    name: 'directory.refresh_when_due',
    outside: true,
    cron: '* * * * *',
    run: async (_: never, runtime) => {
      const due = await dueRefresh(options, runtime)
      if (due) await refresh(options, runtime, due.at, theService)
    },
  },
]

/** Instant of a due refresh. Incomplete settings are reported by the refresh, at each interval. */
async function dueRefresh({ connection }: Refreshing, { database }: Runtime): Promise<{ at: string } | undefined> {
  const usual = 14_400
  const seconds = await connection(database).then(
    found => found?.refreshSeconds,
    (error: unknown) => {
      if (error instanceof DirectoryError) return usual
      throw error
    },
  )
  return seconds === undefined ? undefined : takeDueRefresh(database, seconds)
}

/** Number of consecutive empty results after which they are accepted. */
const believedAfter = 3

async function refresh(options: Refreshing, runtime: Runtime, at: string, by: By): Promise<void> {
  const { database, record } = runtime
  try {
    const directory = await options.connection(database)
    if (!directory) throw new DirectoryError(noDirectory)
    const read = await readAll(directory, options, runtime, by)
    await database.transaction(async tx => {
      await recordDirectoryEvent(record, tx, by, await takeOver(tx, options, read, at))
    })
  } catch (error) {
    // The job queue retries failures of the database and bugs of ours.
    if (!(error instanceof DirectoryError || error instanceof Failure)) throw error
    await database.transaction(async tx => {
      await failRefresh(tx)
      await recordDirectoryEvent(record, tx, by, {
        type: 'api:ldap_refresh:error',
        attributes: { error: error.message },
      })
    })
  }
}

interface Read {
  readonly people: readonly DirectoryPerson[]
  readonly groups: readonly DirectoryGroup[]
}

async function readAll(
  directory: DirectoryConnection,
  { authorities }: Refreshing,
  { database, record }: Runtime,
  by: By,
): Promise<Read> {
  const begins = (type: string, search_base: string, filter: string) =>
    database.transaction(tx => recordDirectoryEvent(record, tx, by, { type, attributes: { search_base, filter } }))
  return withDirectory(directory, authorities, async open => {
    await begins('api:ldap_refresh:user_start', directory.users.base, filterOfPeople(directory))
    const people = await open.people()
    await begins('api:ldap_refresh:group_start', directory.groups.base, filterOfGroups())
    return { people, groups: await open.groups() }
  })
}

type Ended = Pick<NewEvent, 'type' | 'attributes'>

/** Records an event about the settings of the installation, which determine what is read and from where. */
async function recordDirectoryEvent(record: Runtime['record'], tx: Tx, by: By, event: Ended): Promise<void> {
  const source = await globalSettings(tx)
  await record(tx, { actor: by, ...(source && { source }), ...event })
}

const overtaken: Ended = {
  type: 'api:ldap_refresh:warn',
  attributes: {
    overtaken: true,
    warning: 'A refresh that began later has been stored already; this one changed nothing.',
  },
}

/**
 * Stores the people and groups that were read. An empty result is accepted when it is the third in a row. A user who
 * requested a refresh waits for its last event, so a superseded refresh records one, too.
 */
async function takeOver(tx: Tx, options: Refreshing, { people, groups }: Read, at: string): Promise<Ended> {
  const state = await lockRefresh(tx, at)
  if (!state) return overtaken
  const cached = await whatIsCached(tx)
  const users = emptiness(people, state.empty_users, true)
  const ofGroups = emptiness(groups, state.empty_groups, cached.groups)
  const groupsOf = membership(groups)
  const shared = sharedNames(people)
  const isShared = ({ username }: DirectoryPerson) => shared.has(looseName(username))
  const usable = people.filter(person => isUsername(person.username) && !isShared(person))
  const told = usable.map(person => ({
    username: person.username,
    display_name: person.displayName,
    email_address: person.mail,
    groupnames: ofGroups.keep ? null : groupsOf(person),
  }))
  const changes = {
    ...(!users.keep && (await cachePeople(tx, told))),
    removed: users.keep
      ? 0
      : await dropPeople(
          tx,
          told.map(({ username }) => username),
        ),
  }
  const named = groups.map(({ name }) => name).filter(isGroupName)
  const names = ofGroups.keep ? { added: 0, removed: 0 } : await cacheGroups(tx, named)
  await options.keepLastSuperuser(tx)
  await endRefresh(tx, at, { empty_users: users.inARow, empty_groups: ofGroups.inARow })
  const attributes = {
    users: people.length,
    groups: groups.length,
    users_added: changes.added ?? 0,
    users_changed: changes.changed ?? 0,
    users_removed: changes.removed,
    users_unusable: people.filter(({ username }) => !isUsername(username)).length,
    users_ambiguous: [...shared.values()].flat().length,
    groups_added: names.added,
    groups_removed: names.removed,
    groups_unusable: groups.length - named.length,
  }
  const ambiguous = warningOfShared([...shared.values()])
  const empty = [...(users.inARow ? ['users'] : []), ...(ofGroups.inARow ? ['groups'] : [])].join(' and no ')
  if (!empty && ambiguous) return { type: 'api:ldap_refresh:warn', attributes: { ...attributes, warning: ambiguous } }
  if (!empty) return { type: 'api:ldap_refresh:success', attributes }
  const kept = users.keep || ofGroups.keep
  const times = Math.max(users.inARow, ofGroups.inARow)
  return kept
    ? {
        type: 'api:ldap_refresh:warn',
        attributes: {
          ...attributes,
          warning: [`The directory has no ${empty}, ${times} times in a row: what is cached stays.`, ambiguous]
            .filter(Boolean)
            .join(' '),
        },
      }
    : {
        type: 'api:ldap_refresh:error',
        attributes: {
          ...attributes,
          error: `The directory has had no ${empty} ${times} times in a row: it is believed.`,
        },
      }
}

/** @param matters whether an empty result is reported: a directory without groups has one */
function emptiness(found: readonly unknown[], before: number, matters: boolean): { inARow: number; keep: boolean } {
  const inARow = found.length === 0 && matters ? before + 1 : 0
  return { inARow, keep: inARow > 0 && inARow < believedAfter }
}
