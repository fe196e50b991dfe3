import { useQuery } from '@tanstack/react-query'
import { sluice } from '../../api/client.ts'
import { recordKey } from '../../api/keys.ts'
import type { PropertiesHistory, PropertiesVersion, Resource } from '../../api/records.ts'
import { type ConfiguredNode, ownPath, type Part } from './node.ts'
import { type LayerHistory, type Stop, stopsOf } from './stops.ts'

/** Times at which a layer of the node's configuration got a new version. */
export function useStops(node: ConfiguredNode, path: string, part: Part): readonly Stop[] | undefined {
  const { data } = useQuery({
    queryKey: [...recordKey(path), 'history', part],
    queryFn: () =>
      part === 'properties' && node.type === 'asset'
        ? historyOfAsset(sluice(), path)
        : historyOfLine(sluice(), path, part),
  })
  return data && stopsOf(data, node.attributes.created_at)
}

type Api = ReturnType<typeof sluice>

/** The API's own history of an asset, with its templates. */
async function historyOfAsset(api: Api, path: string): Promise<LayerHistory[]> {
  const entries: Resource<PropertiesHistory>[] = []
  for await (const { data } of api.pages(`/api${path}/properties_history`)) entries.push(...(data as typeof entries))
  return entries.map(({ type, attributes }) => ({
    type,
    name: attributes.name,
    versions: (attributes.properties_versions as { version: number; start_date: string }[]).map(each => ({
      version: each.version,
      start: each.start_date,
    })),
    templateVersions: (attributes.template_versions ?? []) as { version: string; active_from: string }[],
  }))
}

/** Versions of the documents of the node and of those above it that the user may read. */
async function historyOfLine(api: Api, path: string, part: Part): Promise<LayerHistory[]> {
  const nodes = await Promise.all(
    lineOf(path).map(each => api.find<{ name: string; created_at: string; archived: boolean }>(`/api${each}`)),
  )
  const histories = nodes.map(async (node): Promise<LayerHistory[]> => {
    const own = node && ownPath(node, part)
    if (!node || own === undefined) return []
    const found = await api.find<unknown>(own)
    if (!found) return []
    const versions: Resource<PropertiesVersion>[] = []
    for await (const { data } of api.pages(`${own}/versions`, { exclude_data: true, limit: 500 }))
      versions.push(...(data as unknown as typeof versions))
    return [
      {
        type: node.type,
        name: node.attributes.name,
        versions: versions.map(({ attributes }) => ({ version: attributes.version, start: attributes.created_at })),
      },
    ]
  })
  return (await Promise.all(histories)).flat()
}

/** Paths of the nodes above a node, and its own, outermost first. */
const lineOf = (path: string): string[] => {
  const parts = path.split('/').slice(1)
  return Array.from({ length: parts.length / 2 }, (_, i) => `/${parts.slice(0, 2 * (i + 1)).join('/')}`)
}
