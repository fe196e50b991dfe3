import type { NodeSummary, Resource } from '../../api/records.ts'

interface AssignableAsset {
  readonly id: string
  readonly path: string
  /** Version that it has. */
  readonly from: string
}

/** Assets that have the same version of their template. */
export interface AssetGroup {
  readonly from: string
  readonly assets: readonly AssignableAsset[]
}

/** Assets that can get a version, by the version that they have; the version of most assets comes first. */
export function assetsByVersion(nodes: readonly Resource<NodeSummary>[], version: string): readonly AssetGroup[] {
  const groups = new Map<string, AssignableAsset[]>()
  for (const { id, attributes } of nodes) {
    const { path, archived, template_version: from } = attributes
    if (archived || from === null || from === version) continue
    const group = groups.get(from) ?? []
    group.push({ id, path, from })
    groups.set(from, group)
  }
  return [...groups]
    .map(([from, assets]) => ({ from, assets }))
    .toSorted((one, other) => other.assets.length - one.assets.length || (one.from < other.from ? -1 : 1))
}
