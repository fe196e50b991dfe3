import { sql } from '#platform/db/sql.ts'
import { differences } from '#platform/documents/json-diff.ts'
import type { AnyView } from '#platform/domain.ts'
import { impactView, nodesBeneath } from '../settings/index.ts'
import { checkProperties, ownerPath } from './check.ts'
import type { ConvergeProperties } from './converged.ts'
import { mergeLayers } from './merge.ts'

/** POST /api/properties/{id}/impact. Of a template, and of one of its versions, the nodes are those that have it now. */
export const propertiesImpact = (converge: ConvergeProperties): AnyView =>
  impactView({
    name: 'properties',
    proposed: async (_, found, given) => {
      checkProperties(given, ownerPath(found))
      return given
    },
    bearsOn: found =>
      nodesBeneath(found) ??
      sql<boolean>`exists (select from template_version_histories h
                            where h.node_id = n.id and h.active_to is null
                              and ${found.owner_id}::uuid in (h.template_id, h.template_version_id))`,
    changes: async (queries, node, { ownerId, data }) => {
      const { data: before, layers } = await converge(queries, node)
      const then = layers.map(layer =>
        layer.from !== 'change' && 'owner_id' in layer.from && layer.from.owner_id === ownerId ? { data } : layer,
      )
      return differences(before, mergeLayers(then))
    },
  })
