import { sql } from '#platform/db/sql.ts'
import type { Extends } from '#platform/domain.ts'
import { column } from '#platform/jsonapi/columns.ts'
import type { Row } from '#platform/jsonapi/resource.ts'

const isBuild = { when: (row: Row) => row['type_of_task'] === 'BuildAgentImageTask' }

/** What background tasks that build an image of an agent have besides what every task has. `b` is the task. */
export const builtImages: Extends = {
  columns: {
    image_sha: { ...column.textOrNull(sql`b.image_sha`, 'The image that it built; null before it has.'), ...isBuild },
    image_purged: { ...column.boolean(sql`b.image_purged`, 'The image is gone from the registry.'), ...isBuild },
    image_in_use: {
      ...column.boolean(
        sql`exists (select from agent_statuses s where s.build_task_id = b.id and s.status <> 'absent')`,
        'Its agent runs on the image.',
      ),
      ...isBuild,
    },
  },
}
