import { keepLastSuperuser } from '../domain/access/index.ts'
import { propertyFilesAt } from '../domain/action-catalogue/index.ts'
import { directoryDomain } from '../domain/directory/index.ts'
import { record } from '../domain/events/index.ts'
import { GitFailure, openGit } from '../domain/git/index.ts'
import { propertiesDomain } from '../domain/properties/index.ts'
import { openVaults, type VaultConnection } from '../domain/secrets/index.ts'
import { readOverrides, settingsDomain, vaultInForce } from '../domain/settings/index.ts'
import type { Passwords } from '../domain/users/index.ts'
import type { LiveKeyring } from '../platform/crypto/index.ts'
import type { Database } from '../platform/db/database.ts'
import { CannotStart } from '../platform/db/embedded/cannot-start.ts'
import type { Log } from '../platform/domain.ts'
import { failure } from '../platform/failure.ts'
import type { Config } from './config.ts'

/** Process configuration and platform parts that the domains are built with. */
export interface ToAssemble {
  readonly config: Pick<
    Config,
    'authorities' | 'dataDir' | 'gitProtocols' | 'passedOn' | 'privateAddresses' | 'role' | 'settingOverrides'
  > &
    Partial<Pick<Config, 'smtpServer' | 'mailFrom' | 'site'>>
  readonly database: Database
  /** The database through the connections reserved for requests, if there are any. */
  readonly forRequests?: Database
  readonly keyring: LiveKeyring
  readonly passwords: Passwords
  readonly apiUrl: () => string
  readonly log: Log
}

/**
 * Settings, vaults, directory, Git and properties: everything that the configuration of a node is read from. Settings
 * look up the directory, and query it when they are written.
 *
 * @throws CannotStart when the environment overrides unknown settings
 */
export async function openConfiguration({ config, database, keyring, log }: ToAssemble) {
  const { values: overrides, errors } = readOverrides(config.settingOverrides)
  if (errors.length > 0) throw new CannotStart(errors.join('\n'))
  const settings = settingsDomain({
    keyring,
    overrides,
    // Settings look up the directory, and query it when they are written.
    approvers: (tx, names) => directory.approvers(tx, names),
  })
  const vaultOf = vaultInForce(settings.reader)
  const vaults = openVaults({
    keyring,
    outgoing: config,
    connectionOf: async (queries, owner) => (await vaultOf(queries, owner)) as VaultConnection | undefined,
  })
  const directory = directoryDomain({
    database,
    log,
    settings: settings.reader,
    authorities: config.authorities,
    keepLastSuperuser,
  })
  const git = await openGit({
    database,
    keyring,
    dataDir: config.dataDir,
    protocols: config.gitProtocols,
    privateAddresses: config.privateAddresses,
    environment: config.passedOn,
    settings: async () => {
      const { data } = await settings.reader.global(database)
      return {
        knownHosts: (data['known_hosts'] ?? []) as string[],
        freshMilliseconds: Number(data['git_remote.fetch_stale_threshold']) * 1_000,
      }
    },
  })

  const properties = propertiesDomain({
    keyring,
    settings: settings.reader,
    record,
    readFiles: async (key, { mayFetch }) => {
      if (!mayFetch && !(await git.holds(key.gitRemoteId, key.commitSha))) return
      try {
        await propertyFilesAt({ git, keyring }, database, key)
      } catch (error) {
        if (!(error instanceof GitFailure)) throw error
        throw failure('wrong-state', `The property files of commit ${key.commitSha} cannot be read: ${error.message}`)
      }
    },
  })
  return { settings, vaults, directory, git, properties }
}

export type Configuration = Awaited<ReturnType<typeof openConfiguration>>
