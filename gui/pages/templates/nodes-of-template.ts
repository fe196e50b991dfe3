import type { Query } from '#client/sluice.ts'

/** Query of the nodes of a template, below its project. */
export const nodesOfTemplate = (project: string, code: string): Query => ({
  'filter[under]': `/projects/${project}`,
  'filter[template_code_eq]': code,
  limit: 10_000,
})
