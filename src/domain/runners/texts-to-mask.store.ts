import { fromJson } from '#json/from-json.ts'
import type { Keyring } from '#platform/crypto/index.ts'
import type { Database, Queries } from '#platform/db/database.ts'
import { sql } from '#platform/db/sql.ts'
import type { Attempt, MaskedTexts, MaskTexts } from '#protocol/runner-protocol.ts'

/** Runners of earlier versions do not support this request. */
const oldestProtocol = 4

export const textsToMaskAad = (id: string, column: 'texts' | 'masked'): string => `texts_to_mask:${id}:${column}`

/** Asks the runner of an attempt how its log would show these texts; undefined if the runner does not support that. */
export async function askToMaskTexts(
  database: Database,
  keyring: Keyring,
  { runnerId, stepId, attempt, fence }: Attempt & { readonly runnerId: string },
  texts: readonly string[],
): Promise<string | undefined> {
  return database.transaction(async tx => {
    const row = await tx.one(sql<{ id: string }>`
      select sluice_uuid7() as id from runners where id = ${runnerId}::uuid and protocol >= ${oldestProtocol}`)
    if (!row) return undefined
    await tx.count(sql`
      insert into texts_to_mask (id, runner_id, step_id, attempt, fence, texts)
      values (${row.id}, ${runnerId}::uuid, ${stepId}::uuid, ${attempt}, ${fence},
              ${keyring.seal(JSON.stringify(texts), textsToMaskAad(row.id, 'texts'))})`)
    tx.hint('texts_to_mask')
    return row.id
  })
}

/** Answer of the runner; undefined until there is one. */
export async function maskedTexts(queries: Queries, keyring: Keyring, id: string): Promise<string[] | undefined> {
  const row = await queries.one(sql<{ masked: Buffer | null }>`
    select masked from texts_to_mask where id = ${id}::uuid`)
  return row?.masked ? opened(keyring, row.masked, id, 'masked') : undefined
}

/** Deletes the request, and those whose creators died while waiting. */
export async function deleteTextsToMask(queries: Queries, id: string): Promise<void> {
  await queries.count(sql`
    delete from texts_to_mask where id = ${id}::uuid or created_at < sluice_now() - interval '1 minute'`)
}

/** Texts that these runners have to mask. */
export async function textsToMask(
  queries: Queries,
  keyring: Keyring,
  runnerIds: readonly string[],
): Promise<(MaskTexts & { readonly runnerId: string })[]> {
  const rows = await queries.rows(sql<Attempt & { id: string; runnerId: string; texts: Buffer }>`
    select id, runner_id as "runnerId", step_id as "stepId", attempt, fence, texts
      from texts_to_mask where runner_id = any(${[...runnerIds]}::uuid[]) and masked is null`)
  return rows.map(({ texts, ...about }) => ({
    type: 'mask_texts',
    ...about,
    texts: opened(keyring, texts, about.id, 'texts'),
  }))
}

export async function noteMaskedTexts(
  queries: Queries,
  keyring: Keyring,
  runnerId: string,
  { id, texts }: MaskedTexts,
): Promise<void> {
  await queries.count(sql`
    update texts_to_mask
       set masked = ${keyring.seal(JSON.stringify(texts), textsToMaskAad(id, 'masked'))}
     where id = ${id}::uuid and runner_id = ${runnerId}::uuid`)
}

const opened = (keyring: Keyring, sealed: Buffer, id: string, column: 'texts' | 'masked') =>
  fromJson(keyring.openText(sealed, textsToMaskAad(id, column))) as string[]
