export { type FetchOptions, type Git, type GitOptions, openGit } from './git.ts'
export { GitFailure } from './git-program.adapter.ts'
export {
  type PropertyFile,
  type PropertyFiles,
  type PropertyFilesKey,
  readPropertyFiles,
  storePropertyFiles,
} from './property-files.store.ts'
export type { GitProtocol } from './remote-url.ts'
export { isCommitId, revisionFault } from './revision.ts'
export type { TreeEntry } from './tree.ts'
