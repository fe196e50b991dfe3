import type { Tx } from '#platform/db/database.ts'
import { type Sql, sql } from '#platform/db/sql.ts'
import type { StepExecutionParts } from './parts.port.ts'

export type VersionParts = Pick<StepExecutionParts, 'propertyStamp' | 'settings'>

export async function askVersions(parts: VersionParts, tx: Tx, id: string, owners: readonly string[]): Promise<string> {
  return (await tx.one(sql<{ versions: string }>`select ${versionsOfChange(parts, id, owners)} as versions`))!.versions
}

/**
 * The change's own document is identified by the transaction that wrote it: its number is assigned again after a
 * rollback.
 */
const versionsOf = (parts: VersionParts, id: Sql, owners: Sql) => sql<string>`(
  select concat_ws('/', c.xmin, c.property_overrides_version, ${parts.propertyStamp(owners)}, ${parts.settings.stamp(owners)})
    from changes c
   where c.id = ${id})`

/** Expression: the versions of everything that the documents of a change are built from. */
export const versionsOfChange = (parts: VersionParts, id: string, owners: readonly string[]): Sql<string> =>
  versionsOf(parts, sql`${id}::uuid`, sql`${[...owners]}::uuid[]`)

/** Expression: the versions as above, for the change of a row; `owners` is a text of ids separated by spaces. */
export const versionsOfRow = (parts: VersionParts, id: Sql, owners: Sql): Sql<string> =>
  versionsOf(parts, id, sql`string_to_array(${owners}, ' ')::uuid[]`)
