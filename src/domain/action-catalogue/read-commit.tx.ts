import { actionsFileLimits } from '#authoring/actions/check-actions.ts'
import { faultsText } from '#authoring/files/file-fault.ts'
import { fileText, storedInstead } from '#authoring/files/file-text.ts'
import type { Keyring } from '#platform/crypto/index.ts'
import type { Database } from '#platform/db/database.ts'
import {
  type Git,
  loadPropertyFiles,
  notAFolder,
  type PropertyFilesKey,
  readPropertyFiles,
  storePropertyFiles,
  type TreeEntry,
} from '../git/index.ts'
import {
  type CatalogueKey,
  findCatalogue,
  type NewCatalogue,
  type StoredCatalogue,
  storeCatalogue,
} from './catalogue.store.ts'
import { largeYamlFaults, readLargeActionsFile } from './large-actions-file.ts'
import { storeModelFile } from './model-file.store.ts'

export interface CommitParts {
  readonly git: Git
  readonly keyring: Keyring
}

/**
 * The actions of a folder of a commit, read from Git the first time and from then on from the database. Rejects with
 * `GitFailure` when the commit is not available.
 *
 * @param nodeId an asset: its own actions of that commit, if it has some
 */
export async function catalogueAt(
  { git }: Pick<CommitParts, 'git'>,
  database: Database,
  key: CatalogueKey,
  nodeId?: string,
): Promise<StoredCatalogue> {
  const known = await findCatalogue(database, key, nodeId)
  if (known) return known
  const { model, ...made } = await loadCatalogue(git, key)
  await database.transaction(async tx => {
    await git.keep(tx, key.gitRemoteId, key.commit)
    await storeCatalogue(tx, key, made)
    if (model !== undefined) await storeModelFile(tx, key, model)
  })
  return (await findCatalogue(database, key))!
}

/**
 * Ensures that the property files of a commit are stored, so that converging finds them.
 *
 * @returns their faults, or undefined
 */
export async function propertyFilesAt(
  { git, keyring }: CommitParts,
  database: Database,
  key: PropertyFilesKey,
): Promise<string | undefined> {
  const known = await readPropertyFiles(database, keyring, key, [])
  if (known.state === 'broken') return known.error
  if (known.state === 'read') return undefined
  const read = await loadPropertyFiles(git, key)
  await database.transaction(async tx => {
    await git.keep(tx, key.gitRemoteId, key.commitSha)
    await storePropertyFiles(tx, keyring, key, read)
  })
  return 'error' in read ? read.error : undefined
}

const programs = ['actions.ts', 'actions.mjs', 'actions.js']
const modelFile = 'model.json.erb'
const largestModelFile = 1_048_576

/**
 * The actions of a folder of a commit read from Git; nothing is stored. Rejects with `GitFailure` when the commit is
 * not available. `model`: the text of its model's file.
 */
export async function loadCatalogue(git: Git, key: CatalogueKey): Promise<NewCatalogue & { readonly model?: string }> {
  const entries = await git.listFiles(key.gitRemoteId, key.commit, key.folder)
  const made = await catalogueOf(git, key, entries)
  const file = entries.find(({ path }) => path === (key.folder === '' ? modelFile : `${key.folder}/${modelFile}`))
  if (!file || !made.hasModel) return made
  const read = await readModelFile(git, key, file)
  if ('text' in read) return { ...made, model: read.text }
  const error = faultsText(read.faults)
  return { state: 'broken', error: made.state === 'broken' ? `${made.error}\n${error}` : error, hasModel: true }
}

async function readModelFile(git: Git, key: CatalogueKey, file: TreeEntry): Promise<ReturnType<typeof fileText>> {
  if (file.byteSize <= largestModelFile)
    return fileText(file.path, (await git.readFiles(key.gitRemoteId, key.commit, [file])).get(file.path)!)
  const message = `The file holds more than ${largestModelFile} bytes.`
  return { faults: [{ file: file.path, line: 1, column: 1, message }] }
}

/** Possible names of files in a template's folder, in lower case, each with the exact name that is read. */
const misnamed: Readonly<Record<string, string>> = Object.fromEntries(
  ['actions.yaml', ...programs, modelFile].flatMap(name => [
    [name, name],
    ...(name === 'actions.yaml' ? [['actions.yml', name] as const] : []),
  ]),
)

/** A file that would be ignored because its name differs slightly. */
function misnamedIn(entries: readonly TreeEntry[]): string | undefined {
  for (const { path } of entries) {
    const name = path.slice(path.lastIndexOf('/') + 1)
    const right = Object.hasOwn(misnamed, name.toLowerCase()) ? misnamed[name.toLowerCase()] : undefined
    if (right !== undefined && name !== right) return `${path}:1:1: Call this file "${right}".`
  }
  return undefined
}

async function catalogueOf(
  git: Git,
  { gitRemoteId, commit, folder }: CatalogueKey,
  entries: readonly TreeEntry[],
): Promise<NewCatalogue> {
  const named = (name: string): TreeEntry | undefined =>
    entries.find(({ path }) => path === (folder === '' ? name : `${folder}/${name}`))
  const hasModel = named(modelFile)?.kind === 'file'
  const broken = (error: string): NewCatalogue => ({ state: 'broken', error, hasModel })
  const file = named('actions.yaml')
  const [program, second] = programs.flatMap(name => named(name) ?? [])
  if (second) return broken(`${second.path}:1:1: There is ${program!.path} already; one program declares the actions.`)
  const wrong = [file, program, named(modelFile)].find(entry => entry !== undefined && entry.kind !== 'file')
  if (wrong)
    return broken(
      `${wrong.path}:1:1: The ${wrong.path.endsWith(modelFile) ? 'model' : 'actions'} file must be a file, not a ${wrong.kind}.`,
    )
  const otherName = misnamedIn(entries)
  if (otherName !== undefined) return broken(otherName)
  // Checked before it is read: it may be larger than this process's memory.
  if (file && file.byteSize > actionsFileLimits.bytes)
    return broken(`${file.path}:1:1: The file has more than ${actionsFileLimits.bytes} bytes.`)
  const bytes = file && (await git.readFiles(gitRemoteId, commit, [file])).get(file.path)!
  if (!program) {
    // All its actions may come from its model.
    if (!bytes && hasModel && folder !== '') return { state: 'ready', catalogue: { actions: [] }, hasModel }
    if (!bytes) {
      const instead = entries.length > 0 ? [] : await notAFolder(git, { gitRemoteId, commitSha: commit }, folder)
      return broken(instead.length > 0 ? faultsText(instead) : noActions(folder, entries.length > 0))
    }
    const read = await readLargeActionsFile(file.path, bytes)
    return 'faults' in read ? broken(faultsText(read.faults)) : { state: 'ready', catalogue: read, hasModel }
  }
  // A program is not read here; a filter may have replaced it by a small pointer file.
  const stored =
    program.byteSize <= 1_024 && storedInstead((await git.readFiles(gitRemoteId, commit, [program])).get(program.path)!)
  if (stored) return broken(`${program.path}:1:1: ${stored}`)
  if (!bytes) return { state: 'needs_runner', sources: { program: program.path }, hasModel }
  // Invalid YAML is a fault whatever the program says.
  const faults = await largeYamlFaults(file.path, bytes)
  if (faults.length > 0) return broken(faultsText(faults))
  const yaml = { file: file.path, text: Buffer.from(bytes).toString('utf8') }
  return { state: 'needs_runner', sources: { program: program.path, yaml }, hasModel }
}

const noActions = (folder: string, exists: boolean): string => {
  if (folder === '') return 'The root of the repository has no actions.yaml and no actions.ts.'
  return exists
    ? `The folder "${folder}" has no actions.yaml and no actions.ts.`
    : `The repository has no folder "${folder}": the folder of a template is called like its code.`
}

/** Whether the folder must declare actions; that of an agent need not. */
export async function hasActionsFile(git: Git, { gitRemoteId, commit, folder }: CatalogueKey): Promise<boolean> {
  const entries = await git.listFiles(gitRemoteId, commit, folder)
  if (misnamedIn(entries) !== undefined) return true
  if (entries.length === 0 && (await notAFolder(git, { gitRemoteId, commitSha: commit }, folder)).length > 0)
    return true
  return entries.some(({ path }) => ['actions.yaml', ...programs].includes(path.slice(path.lastIndexOf('/') + 1)))
}
