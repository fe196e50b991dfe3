import Type from 'typebox'
import { type Sql, sql } from '../db/sql.ts'
import { failure } from '../failure.ts'
import {
  type Column,
  type ListRoute,
  mostRelated,
  type Relationship,
  type Resource,
  type Row,
  type ShowRoute,
} from '../jsonapi/resource.ts'
import { changeAttributes } from './document.commands.ts'
import type { JsonObject } from './document.ts'
import type { DocumentStore } from './document-store.ts'

export interface DocumentFace {
  readonly name: 'properties' | 'settings'
  readonly describe: string
  readonly store: DocumentStore
  /** Part of the data that is returned: the settings' secrets are not. Default: all. */
  readonly show?: (data: JsonObject) => JsonObject
}

/** The resources of a versioned document: the record with its newest data, and each version. */
export const documentResources = (face: DocumentFace): Resource[] => [recordOf(face), versionOf(face)]

const tablesOf = ({ name }: DocumentFace) => ({
  records: sql.table(name),
  versions: sql.table(`${name}_versions`),
  recordId: sql.ref(`v.${name}_id`),
})

function recordOf(face: DocumentFace): Resource {
  const { name, store } = face
  const { records, versions, recordId } = tablesOf(face)
  // There may be a million steps that write properties.
  const itsVersions = sql`
    array(select v.id from ${versions} v where ${recordId} = d.id order by v.version limit ${sql.lit(mostRelated + 1)})`
  return {
    type: name,
    large: true,
    describe: face.describe,
    from: sql`${records} d join ${versions} v on ${recordId} = d.id and v.version = d.version`,
    id: sql`d.id`,
    where: sql<boolean>`d.destroyed_at is null`,
    lists: [],
    shows: [{ path: `/api/${name}/:id`, find: ({ id }) => sql<boolean>`d.id = ${id}::uuid` }],
    columns: {
      data: {
        ...dataColumn,
        read: (sealed, _, row) => shown(face, store.open(sealed as Buffer, row.id, row['version'] as number)),
        bytes: (sealed, row) => store.sizeOf(sealed as Buffer, row.id, row['version'] as number),
      },
      version: { kind: 'integer', sql: sql`d.version`, describe: 'Number of the newest version, from 1.' },
      owner_type: ownerType,
      created_by: { kind: 'text', sql: sql`v.created_by`, describe: 'Author of the newest version.' },
      created_at: { kind: 'time', sql: sql`d.created_at`, describe: 'When the record was created.' },
      updated_at: { kind: 'time', sql: sql`d.updated_at`, describe: 'When the newest version was written.' },
    },
    extra: { rights_path: sql`d.path` },
    relationships: {
      owner,
      versions: {
        kind: 'many',
        type: `${name}_version`,
        sql: itsVersions,
        // Readers of the record may read its versions.
        bounded: () => itsVersions,
        paths: 'own',
        describe: 'Its versions, oldest first, a thousand at most; their list has all.',
        related: row => `/api/${name}/${row.id}/versions`,
        showOnly: true,
      },
    },
    links: row => ({
      self: `/api/${name}/${row.id}`,
      owner: `/api${ownerPathOf(row)}`,
      versions: `/api/${name}/${row.id}/versions`,
    }),
    rights,
    rowVersion: sql<number>`d.row_version`,
  }
}

function versionOf(face: DocumentFace): Resource {
  const { name, store } = face
  const { records, versions, recordId } = tablesOf(face)
  const parameter = `${name}_id`
  return {
    type: `${name}_version`,
    large: true,
    describe: `A version of ${name}, as it was in force for a time.`,
    from: sql`${versions} v join ${records} d on d.id = ${recordId}`,
    id: sql`v.id`,
    where: sql<boolean>`d.destroyed_at is null`,
    lists: [
      {
        path: `/api/${name}_versions`,
        scope: (_, query) => sql<boolean>`d.id = ${String(query[parameter])}::uuid`,
        parameters: {
          [parameter]: {
            schema: Type.String({ format: 'uuid' }),
            describe: `Whose versions are listed: the id of the ${name} record.`,
            required: true,
          },
          ...excludeData,
        },
        ...plainly,
      },
      {
        path: `/api/${name}/:id/versions`,
        parent: ({ id }) =>
          sql`select id, path, project_id from ${records} where id = ${id}::uuid and destroyed_at is null`,
        scope: parent => sql<boolean>`d.id = ${parent.id}::uuid`,
        parameters: excludeData,
        ...plainly,
      },
    ],
    shows: [
      { path: `/api/${name}_versions/:id`, find: ({ id }) => sql<boolean>`v.id = ${id}::uuid`, ...withChanges(store) },
      {
        path: `/api/${name}/:id/versions/:version`,
        find: ({ id, version }) => sql<boolean>`d.id = ${id}::uuid and v.version = ${versionNumber(version)}`,
        ...withChanges(store),
      },
    ],
    columns: {
      data: {
        ...dataColumn,
        read: (sealed, _, row) =>
          shown(face, store.open(sealed as Buffer, String(row['record_id']), row['version'] as number)),
        bytes: (sealed, row) => store.sizeOf(sealed as Buffer, String(row['record_id']), row['version'] as number),
      },
      version: { kind: 'integer', sql: sql`v.version`, describe: 'Its number, from 1.' },
      owner_type: ownerType,
      created_by: { kind: 'text', sql: sql`v.created_by`, describe: 'Author.' },
      created_at: { kind: 'time', sql: sql`v.created_at`, describe: 'When it was written.' },
      active_from: { kind: 'time', sql: sql`v.active_from`, describe: 'Start of the period in which it was in force.' },
      active_to: {
        kind: 'time',
        sql: sql`v.active_to`,
        nullable: true,
        describe: 'End of the period, exclusive; null: still in force.',
      },
    },
    extra: { rights_path: sql`d.path`, record_id: sql`d.id`, number: sql`v.version` },
    relationships: { owner },
    links: row => ({
      self: `/api/${name}_versions/${row.id}`,
      owner: `/api${ownerPathOf(row)}`,
      versions: `/api/${name}/${row['record_id']}/versions`,
    }),
    defaultSort: [{ column: 'version', direction: 'desc' }],
    rights,
  }
}

/**
 * `meta.changed_pointers` of a version: where it differs from the one before it, or from the one that `against` names.
 * Compared as stored, so that a changed secret is among them although both values are hidden.
 */
const withChanges = (store: DocumentStore): Pick<ShowRoute, 'parameters' | 'furtherMeta'> => ({
  parameters: {
    against: {
      schema: Type.Integer({ minimum: 0, maximum: 999_999_999 }),
      describe:
        'Number of the version that `meta.changed_pointers` compares with; 0 is the empty document. Default: the version before.',
    },
  },
  furtherMeta: async (row, { database }, query) => {
    const [id, number] = [String(row['record_id']), row['number'] as number]
    const against = query['against'] === undefined ? number - 1 : Number(query['against'])
    const read = (version: number) => (version === 0 ? {} : store.version(database, id, version))
    const [before, after] = [await read(against), await read(number)]
    if (!before) throw failure('invalid', `There is no version ${against}.`, { source: { parameter: 'against' } })
    return changeAttributes(before, after ?? {}, mostPointers)
  },
})

const mostPointers = 10_000

const excludeData = {
  exclude_data: {
    schema: Type.Boolean(),
    describe: 'Excludes the documents themselves: only author and time of each.',
  },
}

const plainly = {
  plain: true,
  without: query => (query['exclude_data'] === 'true' ? ['data'] : []),
} as const satisfies Pick<ListRoute, 'plain' | 'without'>

const dataColumn: Column = {
  kind: 'opaque',
  sql: sql`v.data`,
  describe: 'The document.',
  schema: Type.Object({}, { additionalProperties: true }),
}

const ownerType: Column = {
  kind: 'text',
  sql: sql`d.owner_type`,
  describe: 'Level: Global, Project, Environment, Template, Template version, Agent or Asset.',
}

const owner: Relationship = {
  kind: 'one',
  type: 'any',
  sql: sql`case when d.owner_type <> 'Global'
                then jsonb_build_object('id', d.owner_id, 'type', lower(replace(d.owner_type, ' ', '_'))) end`,
  paths: row => [ownerPathOf(row)],
  describe: 'What it belongs to; null for the installation.',
}

const rights: { projectId: Sql; path: Sql } = { projectId: sql`d.project_id`, path: sql`d.path` }

/** Path of the owner: rights are checked on it and the area; the installation's settings have a path of their own. */
const ownerPathOf = (row: Row): string => String(row['rights_path']).replace(/\/(?:properties|settings)$/, '')

const shown = ({ show }: DocumentFace, data: JsonObject): JsonObject => (show ? show(data) : data)

/** Parses a version number; 0, which no version has, for anything invalid. */
export const versionNumber = (text: string | undefined): number =>
  /^[1-9]\d{0,8}$/.test(text ?? '') ? Number(text) : 0
