import type { Resource, Workflow } from '../../api/records.ts'

/** Path of a workflow in the API. */
export const workflowPath = (project: string, code: string): string =>
  `/api/projects/${encodeURIComponent(project)}/workflows/${encodeURIComponent(code)}`

/** Code of the project of a workflow. */
export const projectCode = ({ links }: Resource<Workflow>): string =>
  /^\/api\/projects\/([^/]+)/.exec(links?.['self'] ?? '')?.[1] ?? ''
