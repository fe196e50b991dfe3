import Type from 'typebox'
import type { Context, Request, Target } from '../commands/command.ts'
import type { Queries, Tx } from '../db/database.ts'
import { sql } from '../db/sql.ts'
import { type Failure, failure, missing } from '../failure.ts'
import type { JsonObject } from './document.ts'
import type { Author, DocumentStore, Locked, Stored } from './document-store.ts'
import { changedPointers } from './json-patch.ts'

/** Common parts of the commands on documents of any kind. */

export interface FoundDocument extends Target {
  readonly id: string
  readonly owner_type: string
  readonly owner_id: string
  readonly project_id: string | null
  readonly path: string
}

export const findDocument = (
  queries: Queries,
  name: 'properties' | 'settings',
  { params }: Request<unknown>,
): Promise<FoundDocument | undefined> =>
  queries.one(sql<FoundDocument>`
    select id, owner_type, owner_id, project_id, path, path as "readPath", row_version as "rowVersion"
      from ${sql.table(name)}
     where id = ${params['id']}::uuid and destroyed_at is null`)

export const documentLimit = 8 * 1024 * 1024

export const expectedVersion = Type.Optional(
  Type.Integer({ minimum: 1, description: 'Version that this replaces; 409 if the newest version is another one.' }),
)

/** The record, locked, if it still has the version that the caller saw. */
export async function lockExpected(
  { tx, requireMatch }: Context,
  store: DocumentStore,
  id: string,
  expected: number | undefined,
): Promise<Locked> {
  const locked = await store.lock(tx, id)
  if (!locked) throw missing()
  requireMatch(locked.row_version)
  const stale = staleVersion(locked, expected)
  if (stale) throw stale
  return locked
}

/**
 * Checks the expected version, for commands that take `expectedVersion` (`collides`). Returns the failure if it is
 * stale.
 */
export async function versionCollides(
  tx: Tx,
  store: DocumentStore,
  id: string,
  expected: number | undefined,
): Promise<Failure | undefined> {
  const locked = expected === undefined ? undefined : await store.lock(tx, id)
  return locked && staleVersion(locked, expected)
}

/** Failure if the newest version is not the expected one; undefined if no version is expected. */
export const staleVersion = (
  { version }: Pick<Stored, 'version'>,
  expected: number | undefined,
): Failure | undefined =>
  expected === undefined || expected === version
    ? undefined
    : failure('stale-version', `The newest version is ${version}, not ${expected}: read it and decide again.`, {
        source: { pointer: '/data/attributes/version' },
        meta: { version },
      })

export const authorOf = ({ actor }: Context): Author => ({ userId: actor.userId, username: actor.username })

/**
 * Attributes of an event for a new version: its number, and the places of differences from the previous one. An event
 * never contains the document.
 */
export const versionAttributes = (version: number, before: JsonObject, after: JsonObject) => ({
  version,
  ...changeAttributes(before, after),
})

/**
 * Attributes of an event for values that it does not contain: the places of differences from the previous ones, at most
 * `most`, and how many are left out.
 */
export function changeAttributes(before: JsonObject, after: JsonObject, most = 100) {
  const pointers = changedPointers(before, after)
  return {
    changed_pointers: pointers.slice(0, most),
    ...(pointers.length > most && { changed_pointers_left_out: pointers.length - most }),
  }
}
