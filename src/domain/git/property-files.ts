import { isDataFile, readDataFiles } from './data-file.ts'
import { type FileFault, faultsText } from './file-fault.ts'
import type { Git } from './git.ts'
import type { PropertyFile, PropertyFilesKey } from './property-files.store.ts'
import type { TreeEntry } from './tree.ts'

/** Bytes that all property files of one reading may have together. */
const limitOfAll = 8 * 1_048_576

/**
 * Reads the property files of a commit: the template's `defaults.*`, and everything beneath
 * `<repo_folder>/properties`. One that does not parse makes the whole reading an error, which names file, line and
 * column of every fault: half of a configuration is no configuration.
 */
export async function loadPropertyFiles(
  git: Git,
  { gitRemoteId, commitSha, repoFolder, templateCode }: PropertyFilesKey,
): Promise<readonly PropertyFile[] | { error: string }> {
  const beneath = await git.listFiles(gitRemoteId, commitSha, `${repoFolder}/properties`, true)
  const ofTemplate = templateCode === '' ? [] : await git.listFiles(gitRemoteId, commitSha, templateCode)
  const entries = [...ofTemplate.filter(isDefaults), ...beneath].filter(({ path }) => isDataFile(path))
  const faults = entries.flatMap(faultOfEntry)
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

const isDefaults = ({ path }: TreeEntry): boolean => /\/defaults\.[a-z]+$/.test(path)

/** A link could lead out of the repository, and is not followed; left out in silence it would be looked for long. */
const faultOfEntry = ({ path, kind }: TreeEntry): FileFault[] =>
  kind === 'link' ? [at(path, 'This is a symbolic link; property files must be files.')] : []

const at = (file: string, message: string): FileFault => ({ file, line: 1, column: 1, message })
