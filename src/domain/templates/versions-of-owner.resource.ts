import { sql } from '#platform/db/sql.ts'
import type { Extends } from '#platform/domain.ts'

/**
 * Versions of properties that belong to a template, or to one of its versions, refer to template versions by id, like
 * the converged properties that include them.
 */
export const versionsOfOwner: Extends = {
  extra: {
    template_versions: sql`
      case d.owner_type
        when 'Template' then (select json_object_agg(tv.version, tv.id order by tv.created_at, tv.id)
                                from template_versions tv where tv.template_id = d.owner_id)
        when 'Template version' then (select json_build_object(tv.version, tv.id)
                                        from template_versions tv where tv.id = d.owner_id) end`,
  },
  meta: row => (isOfTemplates(row['owner_type']) ? { template_versions: row['template_versions'] ?? {} } : undefined),
}

const isOfTemplates = (ownerType: unknown): boolean => ownerType === 'Template' || ownerType === 'Template version'
