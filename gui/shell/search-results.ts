/** Record that `GET /api/search` found. */
export interface SearchResult {
  readonly id: string
  readonly type: string
  readonly attributes: { readonly name: string; readonly status_code: string | null }
  readonly links: { readonly self: string }
  readonly meta: { readonly path: string | null; readonly matched: string }
}

/** Number of results that the palette shows. */
export const resultLimit = 12

const nodeTypes = ['project', 'environment', 'asset', 'agent']

/** Address of the page that shows a record; undefined if there is none for its type. */
export function addressOf({ id, type, links }: SearchResult): string | undefined {
  const path = links.self.replace(/^\/api/, '')
  if (nodeTypes.includes(type)) return path
  if (type === 'change' || type === 'workflow_run') return `/activities/${id}`
  const [, project, kind, code] = /^\/projects\/([^/]+)\/(workflows|templates)\/([^/]+)$/.exec(path) ?? []
  if (kind !== undefined) return `/${kind}/${project}/${code}`
  if (type.startsWith('scheduled_')) return '/schedules'
  if (type === 'user') return `/access${path}`
  return undefined
}
