import type { Query } from '../../api/records.ts'

/** Query of `/api/activities` for the runs of one workflow, the newest first. */
export const runQuery = (project: string, code: string): Query => ({
  'filter[type_eq]': 'workflow_run',
  'filter[path_eq]': `/projects/${project}`,
  'filter[workflow_code_eq]': code,
  'filter[sorts]': 'created_at desc',
})

/** Query of `/api/activities` for the newest runs of all workflows. */
export const recentRunsQuery: Query = {
  'filter[type_eq]': 'workflow_run',
  'filter[sorts]': 'created_at desc',
  limit: 500,
  'fields[activity]': 'path,workflow_code,status_code,created_at',
}
