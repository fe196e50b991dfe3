import type { Query } from '../../api/records.ts'
import { type ColumnsParameter, columnsParameter } from '../../components/list/list-parameters.ts'

/** Search parameters of the parts of the administration. */
export interface AdminSearch extends ColumnsParameter {
  /** Status of the jobs that are listed. */
  readonly status?: JobStatus
  /** Id of the record whose details are open. */
  readonly show?: string
  /** Settings as text instead of the form. */
  readonly view?: 'text'
}

export const jobStatuses = ['pending', 'running', 'success', 'error'] as const
type JobStatus = (typeof jobStatuses)[number]

/** Query of the API for the jobs, the newest first. */
export const jobQuery = ({ status }: AdminSearch): Query => ({
  'filter[sorts]': 'created_at desc',
  ...(status && { 'filter[status_eq]': status }),
})

export function readAdminSearch(search: Readonly<Record<string, unknown>>): AdminSearch {
  const { status, show, view } = search
  const known = jobStatuses.find(each => each === status)
  return {
    ...(known && { status: known }),
    ...(typeof show === 'string' && show !== '' && { show }),
    ...(view === 'text' && { view: 'text' as const }),
    ...columnsParameter(search),
  }
}
