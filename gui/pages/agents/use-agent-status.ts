import { useDocument } from '../../api/queries.ts'
import type { AgentStatus, Document, NodeBackgroundTask, Resource } from '../../api/records.ts'

/** Milliseconds between reads of what no live stream reports. */
export const statusEvery = 5_000

/** Status of an agent, and the builds of the images that it can run, the newest first. */
export function useAgentStatus(path: string) {
  const query = useDocument<Document<Resource<AgentStatus>>>(`/api${path}/status`, undefined, { every: statusEvery })
  const references = query.data?.data.relationships?.['available_build_agent_image_tasks']?.data ?? []
  const included = new Map((query.data?.included ?? []).map(each => [each.id, each]))
  const images = (references as readonly { readonly id: string }[]).flatMap(({ id }) => included.get(id) ?? [])
  return {
    status: query.data?.data.attributes,
    images: images as unknown as readonly Resource<NodeBackgroundTask>[],
    query,
  }
}
