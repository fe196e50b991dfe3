import type { Keyring } from '#platform/crypto/index.ts'
import type { Queries } from '#platform/db/database.ts'
import { sql } from '#platform/db/sql.ts'
import type { JsonObject } from '#platform/documents/document.ts'
import type { DocumentStore, VersionInForce } from '#platform/documents/document-store.ts'
import { failure } from '#platform/failure.ts'
import { readPropertyFiles } from '../git/index.ts'
import { lineOf, type Node } from '../nodes/index.ts'
import { type SettingsReader, sourceOf } from '../settings/index.ts'
import { type Layer, mergeLayers, sourcesOf } from './merge.ts'
import { repositoryLayers } from './repository-layers.ts'

/** Where a change stands apart from its node: what it runs at, and what was given for it alone. */
export interface ChangeLayers {
  readonly overrides: JsonObject
  /** The commit that it runs at. Absent: that of the node's template version, if it has one. */
  readonly commit?: { readonly gitRemoteId: string; readonly commitSha: string }
  /** The template version that it runs under, where the node has a template. Absent: the node's. */
  readonly templateVersionId?: string
}

/** A layer with what it came from, for `included` of the answer and for hashing. */
export interface UsedLayer extends Layer {
  readonly from: VersionInForce | { readonly file: string; readonly commitSha: string } | 'change'
}

export interface ConvergedProperties {
  readonly data: JsonObject
  /** Least specific first. */
  readonly layers: readonly UsedLayer[]
  /** The source of each leaf, in the shape of the data. Built when asked for. */
  sources(): JsonObject
}

/** @param at an instant; default now */
export type ConvergeProperties = (
  queries: Queries,
  node: Node,
  options?: { readonly at?: string; readonly change?: ChangeLayers },
) => Promise<ConvergedProperties>

/**
 * The converged properties of a node, or of a change on it (configuration.md 1), from what is stored: nothing here waits
 * on Git. With an instant each layer is the version then in force.
 */
export const convergeWith =
  (store: DocumentStore, settings: SettingsReader, keyring: Keyring): ConvergeProperties =>
  async (queries, node, { at, change } = {}) => {
    const line = await lineOf(queries, node)
    const origin = await originOf(queries, node, at, change)
    const template = origin?.template
    const owners = [
      ...line.map(({ id }) => id),
      ...(template ? [template.template_id, template.template_version_id] : []),
    ]
    const inForce = new Map((await store.inForce(queries, owners, at)).map(version => [version.owner_id, version]))
    const layer = (ownerId: string, source: string): UsedLayer[] => {
      const version = inForce.get(ownerId)
      return version ? [{ source, data: version.data, from: version }] : []
    }
    const above = line.filter(({ node_type }) => node_type === 'project' || node_type === 'environment')
    const leaf = line.filter(({ node_type }) => node_type === 'asset' || node_type === 'agent')
    const layers: UsedLayer[] = [
      ...(origin?.commit ? await ofRepository(queries, settings, keyring, node, origin, at) : []),
      ...above.flatMap(each => layer(each.id, sourceOf(each))),
      ...(template
        ? layer(template.template_id, `Template: ${template.template_name} (${template.template_code})`)
        : []),
      ...(template
        ? layer(template.template_version_id, `Template version: ${template.template_name} (${template.version})`)
        : []),
      ...leaf.flatMap(each => layer(each.id, sourceOf(each))),
      ...(change ? [{ source: 'Change', data: change.overrides, from: 'change' } as const] : []),
    ]
    return { data: mergeLayers(layers), layers, sources: () => sourcesOf(layers) }
  }

interface Template {
  readonly template_id: string
  readonly template_version_id: string
  readonly template_code: string
  readonly template_name: string
  readonly version: string
}

interface Origin {
  readonly template: Template | undefined
  readonly commit: { readonly gitRemoteId: string; readonly commitSha: string } | undefined
}

/** What the node is made from: its template version at the instant, and the commit that this then pointed at. */
async function originOf(
  queries: Queries,
  node: Node,
  at: string | undefined,
  change: ChangeLayers | undefined,
): Promise<Origin | undefined> {
  if (node.node_type === 'project' || node.node_type === 'environment')
    return change?.commit && { template: undefined, commit: change.commit }
  const instant = at === undefined ? sql`sluice_now()` : sql`${at}::timestamptz`
  const row = change?.templateVersionId
    ? await queries.one(sql<Template & { git_remote_id: string | null; commit_sha: string | null }>`
        select names.*, c.git_remote_id, c.commit_sha
          from template_version_names names
          left join template_version_commits c using (template_version_id)
         where template_version_id = ${change.templateVersionId}::uuid
         order by c.active_from desc nulls last
         limit 1`)
    : await queries.one(sql<Template & { git_remote_id: string | null; commit_sha: string | null }>`
        select h.template_id, h.template_version_id, h.template_code, h.template_name, h.version,
               c.git_remote_id, c.commit_sha
          from node_template_versions h
          left join node_commits c on c.node_id = h.node_id and c.template_version_id = h.template_version_id
                                  and c.commit_active_from <= ${instant}
                                  and (c.commit_active_to is null or ${instant} < c.commit_active_to)
         where h.node_id = ${node.id}::uuid
           and h.active_from <= ${instant}
           and (h.active_to is null or ${instant} < h.active_to)`)
  if (!row) return undefined
  const { git_remote_id, commit_sha, ...template } = row
  const stored = git_remote_id && commit_sha ? { gitRemoteId: git_remote_id, commitSha: commit_sha } : undefined
  return { template, commit: change?.commit ?? stored }
}

async function ofRepository(
  queries: Queries,
  settings: SettingsReader,
  keyring: Keyring,
  node: Node,
  { template, commit }: Origin,
  at: string | undefined,
): Promise<UsedLayer[]> {
  const { data } = await settings.ofNode(queries, node, at === undefined ? {} : { at })
  const repoFolder = String(data['repo_folder'])
  const { gitRemoteId, commitSha } = commit!
  const templateCode = template?.template_code ?? null
  const read = await readPropertyFiles(queries, keyring, {
    gitRemoteId,
    commitSha,
    repoFolder,
    templateCode: templateCode ?? '',
  })
  if (read.state === 'unread')
    throw failure('wrong-state', `The property files in ${repoFolder} of commit ${commitSha} have not been read yet.`)
  // Never half a result: with one file missing every value could be another.
  if (read.state === 'broken') throw failure('wrong-state', `The property files of commit ${commitSha}: ${read.error}`)
  const contents = new Map(read.files.map(({ path, content }) => [path, content]))
  return repositoryLayers([...contents.keys()], { path: node.path, templateCode, repoFolder }).map(file => ({
    source: `Repository: ${file}`,
    data: contents.get(file)!,
    from: { file, commitSha },
  }))
}
