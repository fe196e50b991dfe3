import type { Keyring } from '#platform/crypto/index.ts'
import type { Domain } from '#platform/domain.ts'
import type { SettingsReader } from '../settings/index.ts'
import type { Git } from './git.ts'
import { gitRemoteCommands } from './git-remote.commands.ts'
import { fetchRemote, forgetRemote, periodicFetch } from './git-remote.jobs.ts'
import { gitRemoteResource } from './git-remote.resource.ts'

export { decode } from './data-file.ts'
export { type FileFault, faultsText, faultText } from './file-fault.ts'
export { type FetchOptions, type Git, type GitOptions, openGit } from './git.ts'
export { GitFailure } from './git-program.adapter.ts'
export { findRemote, remoteByName, type StoredRemote } from './git-remote.store.ts'
export {
  type PropertyFile,
  type PropertyFiles,
  type PropertyFilesKey,
  readPropertyFiles,
  storePropertyFiles,
} from './property-files.store.ts'
export { loadPropertyFiles } from './property-files.ts'
export type { GitProtocol } from './remote-url.ts'
export { isCommitId, revisionFault } from './revision.ts'
export type { TreeEntry } from './tree.ts'
export { readYaml, type YamlFile, yamlToJson } from './yaml-file.ts'

/**
 * Git remotes of projects. Their repositories are reached through `git` (`openGit`).
 *
 * @param others domains to the right: what uses a remote hinders deleting it
 */
export const gitDomain = (parts: {
  git: Git
  keyring: Keyring
  settings: SettingsReader
  others: readonly Domain[]
}): Domain => ({
  name: 'git',
  resources: [gitRemoteResource],
  commands: gitRemoteCommands(parts),
  jobs: [fetchRemote(parts), forgetRemote(parts)],
  loops: [periodicFetch],
  extends: { project: { links: row => ({ git_remotes: `/api${row['path']}/git_remotes` }) } },
  events: {
    'api:git_remotes:create': { why: 'a Git remote was made' },
    'api:git_remotes:update': { why: 'a Git remote was changed, archived or restored' },
    'api:git_remotes:destroy': { why: 'a Git remote was deleted' },
    'error:git_remote:create': { why: 'a new remote cannot be reached; it was made all the same' },
    'error:git_remote:update': { why: 'a changed remote cannot be reached' },
    'warn:git_remote:periodic_fetch:failed': { why: 'a scheduled fetch failed', throttle: '1 hour' },
    'info:git_remote:periodic_fetch:recovered': { why: 'a fetch works again after failures' },
  },
})
