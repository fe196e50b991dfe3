import type { Tx } from '#platform/db/database.ts'
import { sql } from '#platform/db/sql.ts'
import type { JsonObject } from '#platform/documents/document.ts'
import { isUuid } from '#platform/jsonapi/kinds.ts'
import { referencesIn } from '../secrets/index.ts'

/**
 * Input secrets are stored under the path of the change whose steps were given them (`putArguments`), and its retries
 * refer to them. Documents are encrypted, so the references are recorded separately.
 */
export const pathOfInputs = (change: { readonly path: string }, id: string): string => `${change.path}/changes/${id}`

/** Records the changes whose inputs a retry refers to in its property overrides. */
export async function noteUsedInputs(
  tx: Tx,
  retry: { readonly id: string; readonly path: string },
  overrides: JsonObject,
): Promise<void> {
  const under = `secret:/${pathOfInputs(retry, '')}`
  const used = referencesIn([overrides]).flatMap(reference =>
    reference.startsWith(under) ? [reference.slice(under.length).split('/')[0]!] : [],
  )
  const ids = [...new Set(used)].filter(isUuid)
  if (ids.length === 0) return
  await tx.count(sql`
    insert into changes_using_inputs (change_id, used_by) select id, ${retry.id}::uuid from unnest(${ids}::uuid[]) as id`)
}

/**
 * The change itself, and those whose inputs it refers to: locked with all changes that refer to them, so that of two
 * that are deleted at once the second sees that it is the last.
 */
export async function lockUsedInputs(tx: Tx, id: string): Promise<string[]> {
  const held = await tx.rows(sql<{ id: string }>`
    select change_id as id
      from changes_using_inputs
     where change_id in (select change_id from changes_using_inputs where used_by = ${id}::uuid)
     order by change_id, used_by
       for update`)
  return [...new Set([id, ...held.map(each => each.id)])]
}

/** Ids of deleted changes whose inputs nothing refers to any more. */
export async function unusedInputs(tx: Tx, ids: readonly string[]): Promise<string[]> {
  const unused = await tx.rows(sql<{ id: string }>`
    select given.id
      from unnest(${[...ids]}::uuid[]) as given(id)
     where not exists (select from changes c where c.id = given.id)
       and not exists (select from changes_using_inputs u where u.change_id = given.id)`)
  return unused.map(({ id }) => id)
}
