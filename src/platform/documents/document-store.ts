import { setImmediate } from 'node:timers/promises'
import type { Keyring, SealedTable } from '../crypto/index.ts'
import type { Packed } from '../crypto/packed.ts'
import type { Queries, Tx } from '../db/database.ts'
import { type Sql, sql } from '../db/sql.ts'
import { type JsonObject, parseText, textOf } from './document.ts'

/**
 * Documents with versions: a record for each owner with encrypted data, and consecutive versions, each with the
 * half-open interval in which it was in force. `name` is that of two tables of the same shape: `<name>` and
 * `<name>_versions`.
 */
export interface DocumentStore {
  /** Creates the owner's record with its first version, in force from `createdAt`. Returns the record's id. */
  create(tx: Tx, owner: Owner, author: Author, data: JsonObject): Promise<string>
  /** The record and its newest version, locked against every other writer until the transaction ends. */
  lock(tx: Tx, id: string): Promise<Locked | undefined>
  lockOfOwner(tx: Tx, ownerId: string): Promise<Locked | undefined>
  /**
   * Writes a new newest version and returns its number; undefined if the text is unchanged, key order included: then
   * nothing is written.
   *
   * @param text as `textOf` writes the data
   */
  write(tx: Tx, locked: Locked, text: string, author: Author): Promise<number | undefined>
  /** The data of one version; undefined if there is none. */
  version(queries: Queries, id: string, version: number): Promise<JsonObject | undefined>
  /**
   * Versions in force at an instant (default: the newest) for these owners, in no order.
   *
   * @param ownerIds as an expression: an array of uuids
   */
  inForce(queries: Queries, ownerIds: readonly string[] | Sql, at?: string): Promise<VersionInForce[]>
  /** Versions with these ids, in no order, still encrypted. Those destroyed meanwhile are left out. */
  withIds(queries: Queries, versionIds: readonly string[]): Promise<OpenedVersion[]>
  /**
   * Stamp of the documents in force for these owners, as an expression: while its text is the same, so are the
   * documents.
   *
   * @param ownerIds an array of uuids
   * @param at an instant; default what is newest
   */
  versions(ownerIds: Sql, at?: string): Sql<string>
  /** Stamp of the newest versions, cheaper than reading them: for a comparison with an earlier state. */
  stamp(ownerIds: Sql): Sql<string>
  /** Marks the records of destroyed owners, and of all owners in destroyed projects: no reader sees them any more. */
  markDestroyed(tx: Tx, ownerIds: readonly string[]): Promise<void>
  /** Deletes at most 1,000 versions of marked records, and the records without versions; false when nothing is left. */
  deleteMarked(queries: Queries): Promise<boolean>
  /** Decrypts a column of a resource: the `data` stored in that version of that record. */
  open(sealed: Uint8Array, id: string, version: number): JsonObject
  /** Size of its text in bytes (it is stored compressed). */
  sizeOf(sealed: Uint8Array, id: string, version: number): number
}

interface Owner {
  readonly type: string
  readonly id: string
  readonly projectId: string | null
  /** Path on which rights to the record are checked. */
  readonly path: string
  readonly createdAt: string
}

/** Author of a version: a person, or a step acting for its change's creator. */
export interface Author {
  readonly userId: string | null
  readonly username: string
  readonly stepId?: string
}

export interface Stored {
  readonly id: string
  readonly owner_type: string
  readonly owner_id: string
  readonly project_id: string | null
  readonly path: string
  readonly version: number
  readonly data: JsonObject
}

/** The record and its newest version, locked. */
export interface Locked extends Stored {
  readonly row_version: number
  /** The data as stored. */
  readonly text: string
}

export interface VersionInForce extends Stored {
  readonly version_id: string
  readonly created_by: string
  readonly active_from: string
  readonly created_at: string
}

/** Decrypted version: the stored text, packed. */
export type OpenedVersion = Omit<VersionInForce, 'data'> & { readonly text: Packed }

type SealedVersion = Omit<VersionInForce, 'data'> & { readonly sealed: Buffer }

export function documentStore(name: 'properties' | 'settings', keyring: Keyring): DocumentStore {
  const records = sql.table(name)
  const versions = sql.table(`${name}_versions`)
  const recordId = sql.ref(`${name}_id`)

  const aad = aadOf(name)
  const open = (sealed: Uint8Array, id: string, version: number): JsonObject =>
    parseText(keyring.openText(sealed, aad(id, version)))
  // With the installation's key, so that guesses at a short document cannot be checked against it.
  const hash = (text: string) => keyring.mac('document', text)

  const lockWhere = async (tx: Tx, condition: ReturnType<typeof sql>): Promise<Locked | undefined> => {
    const record = await tx.one(sql<Omit<Locked, 'data' | 'text'>>`
      select id, owner_type, owner_id, project_id, path, version, row_version
        from ${records}
       where ${condition} and destroyed_at is null
         for no key update`)
    if (!record) return undefined
    // A statement of its own: if it waited for the lock, it would not see the version of the other writer.
    const { data } = (await tx.one(sql<{ data: Buffer }>`
      select data from ${versions} where ${recordId} = ${record.id}::uuid and version = ${record.version}`))!
    const text = keyring.openText(data, aad(record.id, record.version))
    return { ...record, text, data: parseText(text) }
  }

  const sealedOnes = (queries: Queries, joined: Sql, condition: Sql): Promise<SealedVersion[]> =>
    queries.rows(sql<SealedVersion>`
      select r.id, r.owner_type, r.owner_id, r.project_id, r.path, v.version, v.data as sealed,
             v.id as version_id, v.created_by, v.active_from, v.created_at
        from ${records} r
        ${joined}
       where ${condition} and r.destroyed_at is null`)

  return {
    open,
    sizeOf: (sealed, id, version) => keyring.openPacked(sealed, aad(id, version)).size,
    create: async (tx, owner, author, data) => {
      const { id } = (await tx.one(sql<{ id: string }>`
        insert into ${records} (owner_type, owner_id, project_id, path, created_by, user_id, created_at)
        values (${owner.type}, ${owner.id}::uuid, ${owner.projectId}::uuid, ${owner.path}, ${author.username},
                ${author.userId}::uuid, ${owner.createdAt}::timestamptz)
        returning id`))!
      const text = textOf(data)
      const sealed = await keyring.sealText(text, aad(id, 1))
      await tx.count(sql`
        insert into ${versions} (${recordId}, version, data, data_sha, created_by, user_id, active_from, created_at)
        values (${id}::uuid, 1, ${sealed}, ${hash(text)}, ${author.username},
                ${author.userId}::uuid, ${owner.createdAt}::timestamptz, ${owner.createdAt}::timestamptz)`)
      return id
    },

    lock: (tx, id) => lockWhere(tx, sql`id = ${id}::uuid`),
    lockOfOwner: (tx, ownerId) => lockWhere(tx, sql`owner_id = ${ownerId}::uuid`),

    write: async (tx, locked, text, author) => {
      if (text === locked.text) return undefined
      const version = locked.version + 1
      const sealed = await keyring.sealText(text, aad(locked.id, version))
      // Two writers within one microsecond, or a clock set back, must not create an empty or negative interval.
      await tx.count(sql`
        with closed as (
          update ${versions}
             set active_to = greatest(sluice_now(), active_from + interval '1 microsecond')
           where ${recordId} = ${locked.id}::uuid and active_to is null
          returning active_to
        ), moved as (
          update ${records}
             set version = ${version}, row_version = row_version + 1, updated_at = sluice_now()
           where id = ${locked.id}::uuid
        )
        insert into ${versions} (${recordId}, version, data, data_sha, created_by, user_id, step_id, active_from)
        select ${locked.id}::uuid, ${version}, ${sealed}, ${hash(text)},
               ${author.username}, ${author.userId}::uuid, ${author.stepId ?? null}::uuid, active_to
          from closed`)
      return version
    },

    version: async (queries, id, version) => {
      const row = await queries.one(sql<{ data: Buffer }>`
        select v.data
          from ${versions} v
          join ${records} r on r.id = v.${recordId}
         where r.id = ${id}::uuid and v.version = ${version} and r.destroyed_at is null`)
      return row && open(row.data, id, version)
    },

    // By the versions' ids, not their numbers: a number that was rolled back is used again.
    versions: (ownerIds, at) => sql<string>`
      (select coalesce(string_agg(v.id::text, ' ' order by v.id), '')
         from ${records} r
        ${versionInForce(name, at)}
        where r.owner_id = any(${ownerIds}) and r.destroyed_at is null)`,

    // In no order: another order counts as another stamp, and the documents are read again.
    stamp: ownerIds => sql<string>`
      array(select r.xmin from ${records} r where r.owner_id = any(${ownerIds}) and r.destroyed_at is null)::text`,

    markDestroyed: async (tx, ownerIds) => {
      await tx.count(sql`
        update ${records} set destroyed_at = sluice_now()
         where (owner_id = any(${ownerIds}::uuid[]) or project_id = any(${ownerIds}::uuid[])) and destroyed_at is null`)
    },

    deleteMarked: async queries => {
      const versionsGone = await queries.count(sql`
        delete from ${versions}
         where id in (select v.id from ${versions} v join ${records} r on r.id = v.${recordId}
                       where r.destroyed_at is not null limit 1000)`)
      if (versionsGone > 0) return true
      const recordsGone = await queries.count(sql`
        delete from ${records} where id in (select id from ${records} where destroyed_at is not null limit 1000)`)
      return recordsGone > 0
    },

    inForce: async (queries, ownerIds, at) => {
      const owners = Array.isArray(ownerIds) ? sql`${ownerIds}::uuid[]` : (ownerIds as Sql)
      const rows = await sealedOnes(queries, versionInForce(name, at), sql`r.owner_id = any(${owners})`)
      return rows.map(({ sealed, ...row }) => ({ ...row, data: open(sealed, row.id, row.version) }))
    },

    withIds: async (queries, versionIds) => {
      const opened: OpenedVersion[] = []
      for (const { sealed, ...row } of await sealedOnes(
        queries,
        sql`join ${versions} v on v.${recordId} = r.id`,
        sql`v.id = any(${[...versionIds]}::uuid[])`,
      )) {
        opened.push({ ...row, text: keyring.openPacked(sealed, aad(row.id, row.version)) })
        // Seven documents of 8 MiB would delay everybody else by a tenth of a second.
        if (sealed.length > manyBytes) await setImmediate()
      }
      return opened
    },
  }
}

/** Binds a document to its record and version: bytes copied from elsewhere cannot be decrypted. */
const aadOf = (name: string) => (id: string, version: number) => `${name}_versions:${id}:${version}`

export const sealedVersions = (name: 'properties' | 'settings'): SealedTable => ({
  table: `${name}_versions`,
  key: { id: 'uuid' },
  columns: { data: row => aadOf(name)(row[`${name}_id`], row['version']) },
  binding: [`${name}_id`, 'version'],
})

const manyBytes = 256 * 1_024

/**
 * Joins to records `r` their version `v` that was in force at the instant, or else the newest. There is at most one:
 * this condition uses the index that forbids two, however many versions there are. That index is over `greatest(<id>)`,
 * which no other query uses: for documents with a version or two, the planner would consider it as good as the index on
 * the number.
 */
export const versionInForce = (name: 'properties' | 'settings', at: string | undefined): Sql => {
  const ofRecord = sql`${sql.table(`${name}_versions`)} v`
  const recordId = sql.ref(`v.${name}_id`)
  return at === undefined
    ? sql`join ${ofRecord} on ${recordId} = r.id and v.version = r.version`
    : sql`
         cross join lateral (
               select v.* from ${ofRecord}
                where greatest(${recordId}) = r.id and tstzrange(v.active_from, v.active_to) @> ${at}::timestamptz
                limit 1) v`
}
