import { useList } from '../../api/queries.ts'
import type { Project, Query, Resource } from '../../api/records.ts'
import { useMe } from '../../api/session.tsx'
import { maySomewhere, mayUpdate } from '../../shell/rights.ts'

/** Records that belong to a project and are created from a list of all projects. */
type Area = 'templates' | 'workflows'

/** Query of the projects that something can be created in, as far as the rights allow. */
export const projectsToCreateIn: Query = {
  limit: 1_000,
  'filter[archived_eq]': false,
  'filter[sorts]': 'code',
  'fields[project]': 'code,name',
}

/** Whether the API says that the project has the area and the user may create something there. */
export function mayCreateIn(area: Area, { meta }: Resource<Project>): boolean {
  const areas = meta?.['authorisations'] as Readonly<Record<string, { update?: boolean }>> | undefined
  return areas?.[area]?.update === true
}

/**
 * Why the user can create nothing of an area in any project: the reason given. Undefined if they can in one, and as long
 * as it is not known. Who may change all projects may create the first one as well, of which the dialog tells.
 */
export function useWhyNotCreate(area: Area, reason: string): string | undefined {
  const me = useMe()
  const isNowhere = !maySomewhere(me, 'update')
  const isEverywhere = mayUpdate(me, '/projects')
  const { records, query } = useList<'project'>('/api/projects', projectsToCreateIn, {
    enabled: !isNowhere && !isEverywhere,
  })
  if (isNowhere) return reason
  if (isEverywhere || !query.isSuccess || query.hasNextPage) return undefined
  return records.some(project => mayCreateIn(area, project)) ? undefined : reason
}
