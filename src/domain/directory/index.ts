import type { Database, Queries, Tx } from '#platform/db/database.ts'
import type { Domain, Log } from '#platform/domain.ts'
import type { AskApprovers, SettingsReader } from '../settings/index.ts'
import type { DirectorySource } from '../users/index.ts'
import { directoryConnection } from './connection.ts'
import { directoryJobs, type Refreshing } from './directory.jobs.ts'
import { directorySignIn } from './directory-sign-in.tx.ts'
import { groupResource } from './group.resource.ts'
import { knownApprovers } from './known-names.store.ts'
import { refreshCommand } from './refresh.commands.ts'

export { unknownHere } from './known-names.store.ts'

export interface DirectoryParts {
  database: Database
  log: Log
  settings: SettingsReader
  /** Certificates (PEM) of authorities beyond those that Node knows. */
  authorities: string | undefined
  keepLastSuperuser: (tx: Tx) => Promise<void>
}

/** The directory (LDAP): sign-in, groups, and the cache of users and groups. */
export function directoryDomain(parts: DirectoryParts): {
  domain: Domain
  source: DirectorySource
  approvers: AskApprovers
} {
  const refreshing: Refreshing = {
    connection: async (queries: Queries) => directoryConnection((await parts.settings.global(queries)).data),
    authorities: parts.authorities,
    keepLastSuperuser: parts.keepLastSuperuser,
  }
  return {
    domain: {
      name: 'directory',
      resources: [groupResource],
      commands: [refreshCommand(refreshing)],
      jobs: directoryJobs(refreshing),
    },
    source: directorySignIn(refreshing, parts),
    approvers: knownApprovers(refreshing),
  }
}
