import { sql } from '#platform/db/sql.ts'
import { createdByCaller } from '#platform/jsonapi/created-by-caller.ts'
import type { Resource } from '#platform/jsonapi/resource.ts'
import { keyRotationsPath } from './key-rotation.commands.ts'
import { rotationStates } from './key-rotation.store.ts'

/** JSON:API resource of a rotation of the encryption keys. */
export const keyRotationResource: Resource = {
  type: 'key_rotation',
  describe: 'A key rotation: replaces the keys that encrypt everything secret.',
  from: sql`key_rotations r`,
  id: sql`r.id`,
  lists: [{ path: '/api/admin/key_rotations' }],
  shows: [{ path: '/api/admin/key_rotations/:id', find: params => sql<boolean>`r.id = ${params['id']}::uuid` }],
  columns: {
    status: {
      kind: 'text',
      sql: sql`r.status`,
      values: rotationStates,
      describe:
        'announced until every process knows the new key, switching until every process encrypts with it, resealing until nothing is encrypted with an earlier key, then success.',
    },
    waiting_for: {
      kind: 'text',
      sql: sql`r.waiting_for`,
      nullable: true,
      describe: 'Reason why it waits, if it does.',
    },
    data_key: { kind: 'integer', sql: sql`r.data_key`, describe: 'The number of the new data key.' },
    root_key: { kind: 'boolean', sql: sql`r.root_key`, describe: 'Whether the root key is replaced as well.' },
    resealed: { kind: 'integer', sql: sql`r.resealed`, describe: 'Number of records re-encrypted so far.' },
    created_by: { kind: 'text', sql: sql`r.created_by`, describe: 'User who started it.' },
    created_at: { kind: 'time', sql: sql`r.created_at`, describe: 'When it started.' },
    updated_at: { kind: 'time', sql: sql`r.updated_at`, describe: 'When it last made progress.' },
    finished_at: { kind: 'time', sql: sql`r.finished_at`, nullable: true, describe: 'When it ended.' },
  },
  links: row => ({ self: `/api/admin/key_rotations/${row.id}` }),
  named: createdByCaller(sql`r.user_id`),
  defaultSort: [{ column: 'created_at', direction: 'desc' }],
  rights: { fixed: keyRotationsPath },
  rowVersion: sql<number>`r.row_version`,
}
