import { type ListResult, useList } from '../../api/queries.ts'
import type { TemplateVersion } from '../../api/records.ts'

/** Versions of a template that nodes can use, the newest first. `template`: its path; undefined reads nothing. */
export const useReadyVersions = (template: string | undefined): ListResult<TemplateVersion> =>
  useList<'template_version'>(
    `/api${template ?? ''}/versions`,
    {
      limit: 200,
      'filter[state_eq]': 'ready',
      'filter[archived_eq]': false,
      'filter[sorts]': 'created_at desc',
    },
    { enabled: template !== undefined },
  )
