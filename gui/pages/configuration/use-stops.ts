import { useQuery } from '@tanstack/react-query'
import { sluice } from '../../api/client.ts'
import { recordKey } from '../../api/keys.ts'
import type { PropertiesHistory, Resource, SettingsHistory } from '../../api/records.ts'
import type { ConfiguredNode, Part } from './node.ts'
import { type LayerHistory, type Stop, stopsOf } from './stops.ts'

/** Times at which a layer of the node's configuration got a new version. */
export function useStops(node: ConfiguredNode, path: string, part: Part): readonly Stop[] | undefined {
  const { data } = useQuery({
    queryKey: [...recordKey(path), 'history', part],
    queryFn: () => historyOf(path, part),
  })
  return data && stopsOf(data, node.attributes.created_at)
}

type Entry = Resource<Partial<PropertiesHistory & SettingsHistory> & { readonly name: string }>

async function historyOf(path: string, part: Part): Promise<LayerHistory[]> {
  const entries: Entry[] = []
  for await (const { data } of sluice().pages(`/api${path}/${part}_history`)) entries.push(...(data as typeof entries))
  return entries.map(({ type, attributes }) => ({
    type,
    name: attributes.name,
    versions: ((attributes[`${part}_versions`] ?? []) as { version: number; start_date: string }[]).map(each => ({
      version: each.version,
      start: each.start_date,
    })),
    templateVersions: (attributes.template_versions ?? []) as { version: string; active_from: string }[],
  }))
}
