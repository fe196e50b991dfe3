import Type from 'typebox'
import { type Sql, sql } from '#platform/db/sql.ts'
import type { Extends } from '#platform/domain.ts'
import { column } from '#platform/jsonapi/columns.ts'
import type { Column } from '#platform/jsonapi/resource.ts'

/** Column of tasks that build images: absent from tasks that build nothing, and null to filters and sorts. */
const ofBuilds = (value: Sql, described: Column): Column => ({
  ...described,
  sql: sql`case when b.task_type = 'BuildAgentImageTask' then ${value} end`,
  nullable: true,
  when: row => row['type_of_task'] === 'BuildAgentImageTask',
})

const image = sql`b.image_sha`
const purged = sql`b.image_purged`
const inUse = sql`exists (select from agent_statuses s where s.build_task_id = b.id and s.status <> 'absent')`
const yesOrNo = { schema: Type.Boolean() }

/** Columns of background tasks that build an image of an agent, in addition to those of every task. `b` is the task. */
export const builtImages: Extends = {
  columns: {
    image_sha: ofBuilds(image, column.textOrNull(image, 'Image that it built; null until then.')),
    image_purged: ofBuilds(purged, { ...column.boolean(purged, 'The image is gone from the registry.'), ...yesOrNo }),
    image_in_use: ofBuilds(inUse, { ...column.boolean(inUse, 'Whether its agent runs on the image.'), ...yesOrNo }),
  },
}
