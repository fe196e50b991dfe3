import { type FileFault, faultsText } from '#authoring/files/file-fault.ts'
import { isDataFile, readDataFiles } from './data-file.ts'
import type { Git } from './git.adapter.ts'
import type { PropertyFile, PropertyFilesKey } from './property-files.store.ts'
import type { TreeEntry } from './tree.ts'

/** Maximum number of property files of one set, and of their bytes together. */
const mostFiles = 20_000
const limitOfAll = 8 * 1_048_576

/**
 * Reads the property files of a commit: the template's `defaults.*`, and everything below `<repo_folder>/properties`.
 * One invalid file makes the whole set an error, which names file, line and column of every fault: half of a
 * configuration must not be used.
 */
export async function loadPropertyFiles(
  git: Git,
  { gitRemoteId, commitSha, repoFolder, templateCode }: PropertyFilesKey,
): Promise<readonly PropertyFile[] | { error: string }> {
  const root = `${repoFolder}/properties`
  const found = await git.listFiles(gitRemoteId, commitSha, root, true)
  const ofTemplate = templateCode === '' ? [] : await git.listFiles(gitRemoteId, commitSha, templateCode)
  // If there are no files below, one of the folders above may be something else.
  const instead = [
    ...(found.length > 0 ? [] : await notAFolder(git, { gitRemoteId, commitSha }, root)),
    ...(templateCode === '' || ofTemplate.length > 0
      ? []
      : await notAFolder(git, { gitRemoteId, commitSha }, templateCode)),
  ]
  if (instead.length > 0) return { error: faultsText(instead) }
  const entries = [
    ...ofTemplate.filter(({ path, kind }) => isNamedDefaults(path) && kind !== 'folder'),
    ...found.filter(({ path, kind }) => !isHidden(path.slice(root.length)) && (kind !== 'file' || isDataFile(path))),
  ]
  if (entries.length > mostFiles)
    return { error: faultsText([at(`${repoFolder}/properties`, `There are more than ${mostFiles} property files.`)]) }
  const faults = [...ofTemplate.flatMap(faultOfName), ...entries.flatMap(faultOfEntry)]
  if (entries.reduce((sum, { byteSize }) => sum + byteSize, 0) > limitOfAll)
    faults.push(at(`${repoFolder}/properties`, `The property files have more than ${limitOfAll} bytes together.`))
  if (faults.length > 0) return { error: faultsText(faults) }
  const contents = await git.readFiles(gitRemoteId, commitSha, entries)
  const read = await readDataFiles(entries.map(({ path }) => ({ path, bytes: contents.get(path)! })))
  if (read === 'too-much') return { error: faultsText([at(`${repoFolder}/properties`, tooMuch)]) }
  const wrong = read.flatMap(each => ('faults' in each ? each.faults : []))
  if (wrong.length > 0) return { error: faultsText(wrong) }
  return read.flatMap(each => ('content' in each ? [{ path: each.path, content: each.content }] : []))
}

const tooMuch = 'The property files take too much time or memory to read: they hold very many values.'

/**
 * Fault of a file that is named like `defaults` in another case and would be left out: in a template's folder only the
 * exact name counts.
 */
function faultOfName({ path }: TreeEntry): FileFault[] {
  const name = path.slice(path.lastIndexOf('/') + 1)
  return isNamedDefaults(path) && !name.startsWith('defaults.')
    ? [at(path, `Call this file "${name.toLowerCase()}".`)]
    : []
}

const isNamedDefaults = (path: string): boolean => /(?:^|\/)defaults\.(?:json|ya?ml|toml)$/i.test(path)

/** A folder whose name begins with a dot hides its content. */
const isHidden = (path: string): boolean => path.includes('/.')

/** Maximum length of the path of a property file in bytes: it is part of a database key. */
const longestPath = 1_024

/**
 * A link could lead out of the repository, and is not followed; the repository does not contain the files of a
 * submodule. Ignored silently, their absence would be hard to find. Paths that are not UTF-8 would become equal to
 * others.
 */
function faultOfEntry({ path, kind }: TreeEntry): FileFault[] {
  if (kind !== 'file')
    return [at(path, `This is a ${kindNames[kind]}; property files must be files. Commit the files in its place.`)]
  if (path.includes('\uFFFD')) return [at(path, 'The path of this file is not UTF-8.')]
  return Buffer.byteLength(path) > longestPath ? [at(path, `The path has more than ${longestPath} bytes.`)] : []
}

/**
 * The first part of a folder's path that is not a folder: a symbolic link, a submodule or a file. Undefined when the
 * path ends before, or consists of folders.
 */
export async function notAFolder(
  git: Git,
  { gitRemoteId, commitSha }: { readonly gitRemoteId: string; readonly commitSha: string },
  folder: string,
): Promise<FileFault[]> {
  const parts = folder.split('/')
  for (let depth = 1; depth <= parts.length; depth += 1) {
    const path = parts.slice(0, depth).join('/')
    const around = await git.listFiles(gitRemoteId, commitSha, parts.slice(0, depth - 1).join('/'))
    const kind = around.find(entry => entry.path === path)?.kind
    if (kind !== undefined && kind !== 'folder')
      return [at(path, `This is a ${kindNames[kind]}; "${folder}" must be a folder. Commit the folder in its place.`)]
    if (kind === undefined) return []
  }
  return []
}

const kindNames = { file: 'file', link: 'symbolic link', submodule: 'submodule', folder: 'folder' }

const at = (file: string, message: string): FileFault => ({ file, line: 1, column: 1, message })
