import type { Keyring } from '#platform/crypto/index.ts'
import type { Queries } from '#platform/db/database.ts'
import type { JsonObject } from '#platform/documents/document.ts'
import type { DocumentStore, VersionInForce } from '#platform/documents/document-store.ts'
import { failure, missing } from '#platform/failure.ts'
import { readPropertyFiles } from '../git/index.ts'
import type { Node } from '../nodes/index.ts'
import { type SettingsReader, sourceOf } from '../settings/index.ts'
import { type Basis, type ChangePlace, readBasis } from './basis.store.ts'
import { type Layer, mergeLayers, mergeWithSources, sourcesOf } from './merge.ts'
import { propertyFolders, repositoryLayers } from './repository-layers.ts'

/** Where a change stands apart from its node: what it runs at, and what was given for it alone. */
export interface ChangeLayers extends ChangePlace {
  readonly overrides: JsonObject
}

/** A layer with what it came from, for `included` of the answer and for hashing. */
export interface UsedLayer extends Layer {
  readonly from:
    | (VersionInForce & { readonly templateVersions?: Readonly<Record<string, string>> })
    | { readonly file: string; readonly commitSha: string }
    | 'change'
}

export interface ConvergedProperties {
  readonly data: JsonObject
  /** Least specific first. */
  readonly layers: readonly UsedLayer[]
  /** The source of each leaf, in the shape of the data. Built when asked for. */
  sources(): JsonObject
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

/** Converging in two steps: by name first, which opens nothing; the documents only for whoever does not have them yet. */
export interface PropertyLayers {
  basis(queries: Queries, node: Node, options?: ConvergeOptions): Promise<Basis>
  /** Exactly the layers that the basis names, least specific first. */
  layers(queries: Queries, node: Node, basis: Basis, options?: ConvergeOptions): Promise<UsedLayer[]>
}

/**
 * The layers of a node, or of a change on it (configuration.md 1), from what is stored: nothing here waits on Git. With an
 * instant each is the version then in force.
 */
export const layersWith = (store: DocumentStore, settings: SettingsReader, keyring: Keyring): PropertyLayers => ({
  basis: (queries, node, options = {}) => readBasis(queries, settings, node, options),
  layers: async (queries, node, basis, { at, change } = {}) => {
    const { line, template, versions } = basis
    const opened = await store.withIds(
      queries,
      versions.map(({ version_id }) => version_id),
    )
    // With one of them gone (a node destroyed meanwhile) the rest would be another document.
    if (opened.length < versions.length) throw missing()
    const byOwner = new Map(opened.map(version => [version.owner_id, version]))
    const layer = (ownerId: string, source: string, more?: { templateVersions: Record<string, string> }) => {
      const version = byOwner.get(ownerId)
      return version ? [{ source, data: version.data, from: { ...version, ...more } }] : []
    }
    const above = line.filter(({ node_type }) => node_type === 'project' || node_type === 'environment')
    const leaf = line.filter(({ node_type }) => node_type === 'asset' || node_type === 'agent')
    return [
      ...(basis.commit ? await ofRepository(queries, settings, keyring, node, basis, at) : []),
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
      ...(change ? [{ source: 'Change', data: change.overrides, from: 'change' } as const] : []),
    ]
  },
})

export const convergeWith =
  (layered: PropertyLayers): ConvergeProperties =>
  async (queries, node, options) => {
    const basis = await layered.basis(queries, node, options)
    return converged(await layered.layers(queries, node, basis, options))
  }

/** For whoever wants the sources too. */
export function convergedWithSources(layers: readonly UsedLayer[]): ConvergedProperties {
  const { data, sources } = mergeWithSources(layers)
  return { data, layers, sources: () => sources }
}

const converged = (layers: readonly UsedLayer[]): ConvergedProperties => ({
  data: mergeLayers(layers),
  layers,
  sources: () => sourcesOf(layers),
})

async function ofRepository(
  queries: Queries,
  settings: SettingsReader,
  keyring: Keyring,
  node: Node,
  { template, commit }: Basis,
  at: string | undefined,
): Promise<UsedLayer[]> {
  const { data } = await settings.ofNode(queries, node, at === undefined ? {} : { at })
  const repoFolder = String(data['repo_folder'])
  const { gitRemoteId, commitSha } = commit!
  const templateCode = template?.template_code ?? null
  const scope = { path: node.path, templateCode, repoFolder }
  const read = await readPropertyFiles(
    queries,
    keyring,
    { gitRemoteId, commitSha, repoFolder, templateCode: templateCode ?? '' },
    // Of thousands of files, those of other assets need not be opened.
    [...(templateCode === null ? [] : [templateCode]), ...propertyFolders(scope)],
  )
  if (read.state === 'unread')
    throw failure('wrong-state', `The property files in ${repoFolder} of commit ${commitSha} have not been read yet.`)
  // Never half a result: with one file missing every value could be another.
  if (read.state === 'broken') throw failure('wrong-state', `The property files of commit ${commitSha}: ${read.error}`)
  const contents = new Map(read.files.map(({ path, content }) => [path, content]))
  return repositoryLayers([...contents.keys()], scope).map(file => ({
    source: `Repository: ${file}`,
    data: contents.get(file)!,
    from: { file, commitSha },
  }))
}
