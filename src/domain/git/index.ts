export { decode } from './data-file.ts'
export { type FileFault, faultsText, faultText } from './file-fault.ts'
export { type FetchOptions, type Git, type GitOptions, openGit } from './git.ts'
export { GitFailure } from './git-program.adapter.ts'
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
