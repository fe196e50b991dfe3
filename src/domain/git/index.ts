import type { Keyring } from '#platform/crypto/index.ts'
import type { Domain } from '#platform/domain.ts'
import type { SettingsReader } from '../settings/index.ts'
import { deleteRemotesOfNodes } from './delete-nodes.store.ts'
import { summariseFetches } from './fetch-summary.jobs.ts'
import type { Git } from './git.adapter.ts'
import { gitRemoteCommands } from './git-remote.commands.ts'
import { fetchRemote, periodicFetch, removeMirrorJob, removeOrphanedMirrors, tidyMirrors } from './git-remote.jobs.ts'
import { gitRemoteResource } from './git-remote.resource.ts'
import { sealedCredentials } from './git-remote.store.ts'
import { sealedFiles } from './property-files.store.ts'

export { type Git, openGit } from './git.adapter.ts'
export { GitFailure } from './git-failure.ts'
export { recordFetchFailureEvent, toFollow } from './git-remote.jobs.ts'
export { findRemote, remoteByName, type StoredRemote } from './git-remote.store.ts'
export type { FetchOptions } from './mirror-fetcher.adapter.ts'
export { type PropertyFilesKey, readPropertyFiles, storePropertyFiles } from './property-files.store.ts'
export { loadPropertyFiles, notAFolder } from './property-files.ts'
export type { GitProtocol } from './remote-url.ts'
export type { TreeEntry } from './tree.ts'

/**
 * Git remotes of projects. Their repositories are accessed through `git` (`openGit`).
 *
 * @param others domains to the right whose records block deleting a remote
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
  jobs: [fetchRemote(parts), removeMirrorJob(parts.git), summariseFetches(parts)],
  loops: [periodicFetch, removeOrphanedMirrors(parts.git), tidyMirrors(parts.git)],
  deleteNodeData: deleteRemotesOfNodes,
  sealed: [sealedCredentials, sealedFiles],
  extends: { project: { links: row => ({ git_remotes: `/api${row['path']}/git_remotes` }) } },
})
