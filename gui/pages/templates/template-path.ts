import type { Resource } from '../../api/records.ts'

/** Project and code of a template, from its own link `/api/projects/bank/templates/web`. */
export function templatePlace({ links }: Pick<Resource, 'links'>): { project: string; code: string } {
  const [, project = '', code = ''] = /^\/api\/projects\/([^/]+)\/templates\/([^/]+)$/.exec(links?.['self'] ?? '') ?? []
  return { project, code }
}
