import Type from 'typebox'
import { fromJson } from '#json/from-json.ts'
import type { Keyring } from '#platform/crypto/index.ts'
import { sql } from '#platform/db/sql.ts'
import { createdByCaller } from '#platform/jsonapi/created-by-caller.ts'
import type { Resource } from '#platform/jsonapi/resource.ts'
import { nodeByPath, nodePathOf, pathsOfType } from '../nodes/index.ts'
import { openColumn, type SealedColumn } from './model.store.ts'

const assets = pathsOfType.asset.map(path => `/api${path}`)

/** JSON:API resource of a rendered model of an asset. */
export const modelResource = (keyring: Keyring): Resource => {
  const open = (sealed: unknown, id: string, column: SealedColumn) =>
    fromJson(openColumn(keyring, sealed as Buffer, id, column))
  return {
    type: 'model',
    describe: 'Rendered model of an asset.',
    from: sql`models m join nodes n on n.id = m.node_id`,
    id: sql`m.id`,
    where: sql<boolean>`n.destroyed_at is null`,
    lists: assets.flatMap(asset => [
      {
        path: `${asset}/models`,
        parent: nodeByPath,
        scope: parent => sql<boolean>`m.node_id = ${parent.id}::uuid and m.template_version_history_id in (
          select now.id from template_version_histories now where now.node_id = ${parent.id}::uuid and now.active_to is null)`,
      },
      {
        path: `${asset}/model_history`,
        parent: nodeByPath,
        scope: parent => sql<boolean>`m.node_id = ${parent.id}::uuid`,
      },
    ]),
    shows: assets.flatMap(asset =>
      ['models', 'model_history'].map(list => ({
        path: `${asset}/${list}/:id`,
        find: params => sql<boolean>`m.id = ${params['id']}::uuid and n.path = ${nodePathOf(params)}`,
      })),
    ),
    columns: {
      data: {
        kind: 'opaque',
        sql: sql`m.data`,
        describe: 'Rendered data.',
        schema: Type.Object({}, { additionalProperties: true }),
        read: (sealed, _, { id }) => open(sealed, id, 'data'),
      },
      sha256: { kind: 'text', sql: sql`m.sha256`, describe: 'SHA-256 of its data as JSON without whitespace.' },
      commit_sha: { kind: 'text', sql: sql`m.commit_sha`, describe: 'The commit of its template.' },
      render_logs: {
        kind: 'opaque',
        sql: sql`m.render_logs`,
        describe: 'Log of the template: objects with category and message.',
        schema: Type.Array(Type.Object({ category: Type.String(), message: Type.String() })),
        read: (sealed, _, { id }) => open(sealed, id, 'render_logs'),
      },
      created_by: { kind: 'text', sql: sql`m.created_by`, describe: 'User who requested it.' },
      created_at: { kind: 'time', sql: sql`m.created_at`, describe: 'When it was created.' },
    },
    extra: { node_path: sql`n.path` },
    links: row => ({ self: `/api${row['node_path']}/models/${row.id}` }),
    named: createdByCaller(sql`m.user_id`),
    large: true,
    rights: { projectId: sql`m.project_id`, path: sql`n.path || '/model'` },
    listRightsPath: parent => `${parent!.path}/model`,
  }
}
