import type { Keyring } from '#platform/crypto/index.ts'
import type { Database, Queries } from '#platform/db/database.ts'
import { sql } from '#platform/db/sql.ts'
import type { Attempt, MaskSecret } from '#protocol/runner-protocol.ts'

/** Runners of earlier versions do not support this request. */
const oldestProtocol = 3

export const secretToMaskAad = (id: string): string => `secrets_to_mask:${id}:value`

/** Asks the runner of an attempt to mask a secret; undefined if the runner does not support that. */
export async function askToMask(
  database: Database,
  keyring: Keyring,
  { runnerId, stepId, attempt, fence }: Attempt & { readonly runnerId: string },
  value: string,
): Promise<string | undefined> {
  return database.transaction(async tx => {
    const row = await tx.one(sql<{ id: string }>`
      select sluice_uuid7() as id from runners where id = ${runnerId}::uuid and protocol >= ${oldestProtocol}`)
    if (!row) return undefined
    await tx.count(sql`
      insert into secrets_to_mask (id, runner_id, step_id, attempt, fence, value)
      values (${row.id}, ${runnerId}::uuid, ${stepId}::uuid, ${attempt}, ${fence},
              ${keyring.seal(value, secretToMaskAad(row.id))})`)
    tx.hint('secrets_to_mask')
    return row.id
  })
}

export async function isMasked(queries: Queries, id: string): Promise<boolean> {
  const row = await queries.one(sql<{ masked: boolean }>`select masked from secrets_to_mask where id = ${id}::uuid`)
  return row?.masked === true
}

/** Deletes the request, and those whose creators died while waiting. */
export async function deleteSecretsToMask(queries: Queries, id: string): Promise<void> {
  await queries.count(sql`
    delete from secrets_to_mask where id = ${id}::uuid or created_at < sluice_now() - interval '1 minute'`)
}

/** Secrets that these runners have to mask. */
export async function secretsToMask(
  queries: Queries,
  keyring: Keyring,
  runnerIds: readonly string[],
): Promise<(MaskSecret & { readonly runnerId: string })[]> {
  const rows = await queries.rows(sql<Attempt & { id: string; runnerId: string; value: Buffer }>`
    select id, runner_id as "runnerId", step_id as "stepId", attempt, fence, value
      from secrets_to_mask where runner_id = any(${[...runnerIds]}::uuid[]) and not masked`)
  return rows.map(({ value, ...about }) => ({
    type: 'mask',
    ...about,
    secret: keyring.openText(value, secretToMaskAad(about.id)),
  }))
}

export async function noteMasked(queries: Queries, runnerId: string, id: string): Promise<void> {
  await queries.count(sql`
    update secrets_to_mask set masked = true where id = ${id}::uuid and runner_id = ${runnerId}::uuid`)
}
