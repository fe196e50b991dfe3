import type { Keyring } from '#platform/crypto/index.ts'
import { notPacked, type Packed, unpacked } from '#platform/crypto/packed.ts'
import type { Queries } from '#platform/db/database.ts'
import { type JsonObject, parseText, textOf } from '#platform/documents/document.ts'
import type { DocumentStore, OpenedVersion } from '#platform/documents/document-store.ts'
import { Failure, failure, missing } from '#platform/failure.ts'
import { type PropertyFilesKey, readPropertyFiles } from '../git/index.ts'
import type { Node } from '../nodes/index.ts'
import { type SettingsReader, sourceOf } from '../settings/index.ts'
import { type Basis, type ChangePlace, findWithBasis, readBases, readBasis } from './basis.store.ts'
import { type Layer, mergeLayers } from './merge.ts'
import { type FileScope, propertyFolders, repositoryLayers } from './repository-layers.ts'

/** Difference of a change from its node: its versions, and its own overrides. */
export interface ChangeLayers extends ChangePlace {
  readonly overrides: JsonObject
  /** Setting repo_folder as resolved for it. */
  readonly repoFolder: string
}

/** A layer with its origin, for `included` of the response and for hashing. */
export interface UsedLayer extends Layer {
  /** Text as it is stored. */
  readonly text: Packed
  /** Parsed value, parsed when it is first needed. */
  readonly data: JsonObject
  readonly from: Origin
}

type Origin =
  | (Omit<OpenedVersion, 'text'> & { readonly templateVersions?: Readonly<Record<string, string>> })
  | { readonly file: string; readonly commitSha: string }
  | 'change'

function usedLayer(source: string, text: Packed, from: Origin): UsedLayer {
  let read: JsonObject | undefined
  return {
    source,
    text,
    from,
    get data() {
      read ??= parseText(unpacked(text).toString())
      return read
    },
  }
}

export interface ConvergedProperties {
  readonly data: JsonObject
  /** Layers that were merged, least specific first. */
  readonly layers: readonly UsedLayer[]
}

/** @param at an instant; default now */
export interface ConvergeOptions {
  readonly at?: string
  readonly change?: ChangeLayers
}

export type ConvergeProperties = (
  queries: Queries,
  node: Node,
  options?: ConvergeOptions,
) => Promise<ConvergedProperties>

/**
 * Convergence in two steps: by versions first, which decrypts nothing; the documents only for callers that do not have
 * them yet.
 */
export interface PropertyLayers {
  /** The node that path parameters name, and its basis of now. */
  find(
    queries: Queries,
    params: Readonly<Record<string, string>>,
  ): Promise<{ readonly node: Node; readonly basis: Basis } | undefined>
  basis(queries: Queries, node: Node, options?: ConvergeOptions): Promise<Basis>
  /** Current bases of many nodes, by the nodes' ids. */
  bases(queries: Queries, nodes: readonly Node[]): Promise<ReadonlyMap<string, Basis>>
  /**
   * Layers of many nodes that are property files of their commits, which are less specific than all others; by the
   * nodes' ids, a Failure if they are not available.
   */
  files(
    queries: Queries,
    nodes: readonly Node[],
    bases: ReadonlyMap<string, Basis>,
  ): Promise<ReadonlyMap<string, readonly UsedLayer[] | Failure>>
  /** Exactly the layers of the basis, least specific first. */
  layers(queries: Queries, node: Node, basis: Basis, options?: ConvergeOptions): Promise<UsedLayer[]>
}

/** Ensures that the property files of a commit are stored. @throws Failure when they are not available */
export type ReadFiles = (key: PropertyFilesKey) => Promise<void>

/**
 * The layers of a node, or of a change on it, from what is stored: nothing here waits for Git. With an instant each is
 * the version then in force.
 *
 * @param readFiles for callers that hold no lock meanwhile: files that are not stored yet, because `repo_folder` has
 *   changed, are then read from the mirror. Without it that is a failure
 */
export const layersWith = (
  store: DocumentStore,
  settings: SettingsReader,
  keyring: Keyring,
  readFiles?: ReadFiles,
): PropertyLayers => ({
  find: (queries, params) => findWithBasis(queries, settings, params),
  basis: (queries, node, options = {}) => readBasis(queries, settings, node, options),
  bases: (queries, nodes) => readBases(queries, settings, nodes),
  files: async (queries, nodes, bases) => {
    const withCommit = nodes.filter(({ id }) => bases.get(id)!.commit)
    const settingsOf = await settings.ofNodes(queries, withCommit)
    const asked = withCommit.map(node => {
      const repoFolder = String(settingsOf(node).data['repo_folder'])
      return { id: node.id, ...filesOf(node.path, bases.get(node.id)!, repoFolder) }
    })
    const found = new Map<string, readonly UsedLayer[] | Failure>(nodes.map(({ id }) => [id, []]))
    for (const some of Map.groupBy(asked, ({ key }) => JSON.stringify(key)).values()) {
      const folders = [...new Set(some.flatMap(each => each.folders))]
      try {
        const texts = await readTexts(queries, keyring, some[0]!.key, folders, readFiles)
        for (const { id, key, scope } of some) found.set(id, fileLayers(texts, key, scope))
      } catch (error) {
        if (!(error instanceof Failure)) throw error
        for (const { id } of some) found.set(id, error)
      }
    }
    return found
  },
  layers: async (queries, node, basis, { at, change } = {}) => {
    const { line, template, versions } = basis
    const ids = versions.map(({ version_id }) => version_id)
    const [opened, ofFiles] = await Promise.all([
      store.withIds(queries, ids),
      basis.commit
        ? ofRepository(queries, keyring, node, basis, folderOf(queries, settings, node, at, change), readFiles)
        : [],
    ])
    // If one of them is gone (a node destroyed meanwhile) the rest would be another document.
    if (opened.length < versions.length) throw missing()
    const byOwner = new Map(opened.map(version => [version.owner_id, version]))
    const layer = (ownerId: string, source: string, more?: { templateVersions: Record<string, string> }) => {
      const version = byOwner.get(ownerId)
      if (!version) return []
      const { text, ...from } = version
      return [usedLayer(source, text, { ...from, ...more })]
    }
    const above = line.filter(({ node_type }) => node_type === 'project' || node_type === 'environment')
    const leaf = line.filter(({ node_type }) => node_type === 'asset' || node_type === 'agent')
    return [
      ...ofFiles,
      ...above.flatMap(each => layer(each.id, sourceOf(each))),
      ...(template
        ? [
            ...layer(template.template_id, `Template: ${template.template_name} (${template.template_code})`, {
              templateVersions: template.template_versions,
            }),
            ...layer(
              template.template_version_id,
              `Template version: ${template.template_name} (${template.version})`,
              { templateVersions: { [template.version]: template.template_version_id } },
            ),
          ]
        : []),
      ...leaf.flatMap(each => layer(each.id, sourceOf(each))),
      ...(change ? [usedLayer('Change', notPacked(textOf(change.overrides)), 'change')] : []),
    ]
  },
})

export const convergeWith =
  (layered: PropertyLayers): ConvergeProperties =>
  async (queries, node, options) => {
    const basis = await layered.basis(queries, node, options)
    const layers = await layered.layers(queries, node, basis, options)
    return { data: mergeLayers(layers), layers }
  }

async function folderOf(
  queries: Queries,
  settings: SettingsReader,
  node: Node,
  at: string | undefined,
  change: ChangeLayers | undefined,
): Promise<string> {
  if (change) return change.repoFolder
  const { data } = await settings.ofNode(queries, node, at === undefined ? {} : { at })
  return String(data['repo_folder'])
}

async function ofRepository(
  queries: Queries,
  keyring: Keyring,
  { path }: Node,
  basis: Basis,
  folder: Promise<string>,
  readFiles: ReadFiles | undefined,
): Promise<UsedLayer[]> {
  const { key, scope, folders } = filesOf(path, basis, await folder)
  return fileLayers(await readTexts(queries, keyring, key, folders, readFiles), key, scope)
}

/** Key of the reading of the node's commit that has its property files, and the folders that they are in. */
function filesOf(path: string, { template, commit }: Basis, repoFolder: string) {
  const templateCode = template?.template_code ?? null
  const scope: FileScope = { path, templateCode, repoFolder }
  const key: PropertyFilesKey = { ...commit!, repoFolder, templateCode: templateCode ?? '' }
  // There may be thousands of files; those of other assets need not be decrypted.
  const folders = [...(templateCode === null ? [] : [templateCode]), ...propertyFolders(scope)]
  return { key, scope, folders }
}

/** Texts of the property files in these folders, by their paths. @throws Failure when they are not available */
async function readTexts(
  queries: Queries,
  keyring: Keyring,
  key: PropertyFilesKey,
  folders: readonly string[],
  readFiles: ReadFiles | undefined,
): Promise<ReadonlyMap<string, Packed>> {
  let read = await readPropertyFiles(queries, keyring, key, folders)
  if (read.state === 'unread' && readFiles) {
    await readFiles(key)
    read = await readPropertyFiles(queries, keyring, key, folders)
  }
  const { repoFolder, commitSha } = key
  if (read.state === 'unread')
    throw failure('wrong-state', `The property files in ${repoFolder} of commit ${commitSha} have not been read yet.`)
  // Never half a result: if one file is missing, every value could be different.
  if (read.state === 'broken') throw failure('wrong-state', `The property files of commit ${commitSha}: ${read.error}`)
  return new Map(read.files.map(({ path, text }) => [path, text]))
}

const fileLayers = (
  texts: ReadonlyMap<string, Packed>,
  { commitSha }: PropertyFilesKey,
  scope: FileScope,
): UsedLayer[] =>
  repositoryLayers([...texts.keys()], scope).map(file =>
    usedLayer(`Repository: ${file}`, texts.get(file)!, { file, commitSha }),
  )
