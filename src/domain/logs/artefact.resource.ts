import Type from 'typebox'
import type { Queries } from '#platform/db/database.ts'
import { sql } from '#platform/db/sql.ts'
import { type AnyView, view } from '#platform/domain.ts'
import { column } from '#platform/jsonapi/columns.ts'
import type { Resource } from '#platform/jsonapi/resource.ts'
import { isOfExistingNode } from '../nodes/index.ts'
import { readArtefact } from './artefacts.store.ts'
import type { LogOwners } from './log-owners.port.ts'

/** JSON:API resource of the files that steps have stored. */
export const artefactResource = ({ activityRow, stepRow }: LogOwners): Resource => ({
  type: 'artefact',
  describe: 'A file that a step kept as an artefact.',
  id: sql`f.id`,
  from: sql`artefacts f join activities a on a.id = f.activity_id`,
  where: isOfExistingNode(sql`a.node_id`),
  lists: [
    {
      path: '/api/changes/:id/artefacts',
      parent: ({ id }) => activityRow(id!, 'change'),
      scope: parent => sql<boolean>`f.activity_id = ${parent.id}::uuid`,
    },
    {
      path: '/api/steps/:id/artefacts',
      parent: ({ id }) => stepRow(id!, 'change'),
      scope: parent => sql<boolean>`f.step_id = ${parent.id}::uuid`,
    },
  ],
  shows: [{ path: '/api/artefacts/:id', find: ({ id }) => sql`f.id = ${id}::uuid` }],
  columns: {
    name: column.text(sql`f.name`, 'Its file name.'),
    content_type: column.text(sql`f.content_type`, 'Its media type.'),
    byte_size: column.integer(sql`f.byte_size`, 'Its size in bytes.'),
    sha256: column.text(sql`f.sha256`, 'SHA-256 of its bytes.'),
    labels: column.json(sql`f.labels`, 'Labels given by the step: texts by name (`filter[labels.kind_eq]`).'),
    attempt: column.integer(sql`f.attempt`, 'Attempt of the step that kept it.'),
    created_at: column.time(sql`f.created_at`, 'When it was stored.'),
  },
  /** `filter[labels.kind_eq]=report`. */
  dynamic: name =>
    name.startsWith('labels.')
      ? column.textOrNull(sql`(f.labels ->> ${name.slice('labels.'.length)}::text) collate "C"`, 'One of its labels.')
      : undefined,
  relationships: {
    step: { kind: 'one', type: 'step', sql: sql`f.step_id`, paths: 'own', describe: 'The step that left it.' },
    change: {
      kind: 'one',
      type: 'change',
      sql: sql`f.activity_id`,
      paths: 'own',
      describe: 'The change of that step.',
    },
  },
  links: row => ({ self: `/api/artefacts/${row.id}`, content: `/api/artefacts/${row.id}/content` }),
  rights: { projectId: sql`f.project_id`, path: sql`f.path` },
})

interface Found {
  readonly readPath: string
  readonly name: string
  readonly sha256: string
  readonly byte_size: number
}

const findArtefact = (queries: Queries, id: string): Promise<Found | undefined> =>
  queries.one(sql<Found>`
    select f.path as "readPath", f.name, f.sha256, f.byte_size
      from artefacts f join activities a on a.id = f.activity_id
     where f.id = ${id}::uuid and ${isOfExistingNode(sql`a.node_id`)}`)

/** Bytes of an artefact, as a download only: whatever a step wrote must not run as a page of ours. */
export const artefactContent: AnyView = view<Found>({
  name: 'artefacts.content',
  summary: 'The bytes of an artefact',
  method: 'GET',
  paths: ['/api/artefacts/:id/content'],
  answer: Type.String({ format: 'binary' }),
  mediaType: 'application/octet-stream',
  find: ({ database, params }) => findArtefact(database, params['id']!),
  needs: ({ readPath }) => [{ right: 'read', path: readPath }],
  run: async ({ name, sha256, byte_size }, { database }) => ({
    body: readArtefact(database, sha256),
    headers: {
      'content-length': String(byte_size),
      'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(name)}`,
    },
  }),
})
