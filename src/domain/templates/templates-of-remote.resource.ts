import { sql } from '#platform/db/sql.ts'
import type { Extends } from '#platform/domain.ts'
import { blockerLimit } from '../nodes/index.ts'

/** Templates of a Git remote, and the templates and versions that keep it from being deleted. */
export const templatesOfRemote: Extends = {
  relationships: {
    templates: {
      kind: 'many',
      type: 'template',
      sql: sql`array(select t.id from templates t where t.git_remote_id = r.id order by t.created_at, t.id)`,
      describe: 'The templates that come from it.',
    },
  },
  inUse: ids => sql`
    select t.id, 'template' as what, t.path
      from templates t
     where t.git_remote_id = any(${ids}::uuid[])
     union
    select v.id, 'template_version', v.path
      from template_versions v
     where v.git_remote_id = any(${ids}::uuid[])
        or exists (select from template_version_commits c
                    where c.template_version_id = v.id and c.git_remote_id = any(${ids}::uuid[]))
     limit ${blockerLimit}`,
}
