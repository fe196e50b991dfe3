import { type Sql, sql } from '../db/sql.ts'
import type { Extends } from '../domain.ts'
import type { DocumentStore } from './document-store.ts'

/**
 * Record that a domain of documents adds to each owner of a document, from the owner's creation until it is destroyed.
 */
export interface Owners {
  /** @param id of the record, as the row of the owner contains it */
  readonly telling: (ownerType: string, id: Sql) => Extends
  /** @param alias the owner's, in the `from` of its resource, to which the record is joined */
  readonly joined: (ownerType: string, alias: string) => Extends
}

export function ownersOf(name: 'properties' | 'settings', store: DocumentStore): Owners {
  const telling = (ownerType: string, recordId: Sql): Extends => ({
    relationships: {
      [name]: {
        kind: 'one',
        type: name,
        sql: recordId,
        paths: row => [`${row['path']}/${name}`],
        describe: `Its own ${name}.`,
        related: (_, id) => `/api/${name}/${id}`,
      },
    },
    onCreate: async ({ tx, actor }, { id, projectId, createdAt, path }) => {
      await store.create(tx, { type: ownerType, id, projectId, createdAt, path: `${path}/${name}` }, actor, {})
    },
    onDestroy: async ({ tx, enqueue }, ids) => {
      await store.markDestroyed(tx, ids)
      await enqueue(`${name}.delete_destroyed`, {}, { key: `${name}.delete_destroyed` })
    },
  })
  const own = `own_${name}`
  return {
    telling,
    joined: (ownerType, alias) => ({
      ...telling(ownerType, sql`${sql.ref(own)}.id`),
      joins: {
        [own]: sql`left join ${sql.ref(name)} ${sql.ref(own)} on ${sql.ref(own)}.owner_id = ${sql.ref(alias)}.id`,
      },
    }),
  }
}
