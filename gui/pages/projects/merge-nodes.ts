import type { Document, NodeSummary, Resource } from '../../api/records.ts'

/** What the stream of nodes told of a node: its record as it is now, or undefined if it was destroyed. */
export type NodeNews = ReadonlyMap<string, Resource<NodeSummary> | undefined>

/** Pages of the list of nodes. */
export interface NodePages {
  readonly pages: readonly Document<Resource<NodeSummary>[]>[]
}

/**
 * The list with the news in it. Nodes that are new to it are added where the pages that were read include their paths;
 * the tree sorts by itself.
 *
 * @param withArchived whether the list contains archived nodes
 */
export function withNews<Pages extends NodePages>(list: Pages, news: NodeNews, withArchived: boolean): Pages {
  const isListed = (record: Resource<NodeSummary> | undefined): record is Resource<NodeSummary> =>
    record !== undefined && (withArchived || !record.attributes.archived)
  const known = new Set<string>()
  const pages = list.pages.map(page => ({
    ...page,
    data: page.data.flatMap(record => {
      if (!news.has(record.id)) return [record]
      known.add(record.id)
      const now = news.get(record.id)
      return isListed(now) ? [now] : []
    }),
  }))
  const last = list.pages.at(-1)
  const end = last?.links?.next ? last.data.at(-1)?.attributes.path : undefined
  const added = [...news.values()].filter(
    record => isListed(record) && !known.has(record.id) && (end === undefined || record.attributes.path < end),
  ) as Resource<NodeSummary>[]
  const [first, ...others] = pages
  return { ...list, pages: first ? [{ ...first, data: [...first.data, ...added] }, ...others] : pages }
}
