import type { Queries } from '#platform/db/database.ts'
import { sql } from '#platform/db/sql.ts'
import { equal, type Json, type JsonObject } from '#platform/documents/document.ts'
import type { ApprovalsThatCount } from '../steps/index.ts'
import { isSameName } from '../users/index.ts'
import { overridesOf, type StoredChange } from './change.store.ts'
import { resolvedSettings } from './change-context.tx.ts'
import type { ChangeParts } from './parts.port.ts'
import { resolvedAnew } from './retried-settings.tx.ts'

/**
 * Decides which approvals of a change count for its retry: those that were given to exactly what runs now. None does
 * when the retry has another commit, mask, overrides or settings; and one only as long as the properties that the
 * change sees were not written since it was given, except by steps of the change itself and of its original. The
 * creator of the retry may approve it only where a rule allows self-approval.
 */
export async function approvalsThatCount(
  parts: Pick<ChangeParts, 'keyring'>,
  queries: Queries,
  { retry, original, commitSha }: { retry: StoredChange; original: StoredChange; commitSha: string | null },
): Promise<ApprovalsThatCount> {
  const isSame =
    commitSha === original.commit_sha &&
    retry.template_version_id === original.template_version_id &&
    equal([...retry.skip_steps], [...original.skip_steps]) &&
    equal(overridesOf(parts.keyring, retry), overridesOf(parts.keyring, original)) &&
    settingsStand(resolvedSettings(parts, retry), resolvedSettings(parts, original))
  if (!isSame) return () => []
  const changedAt = await lastWrittenByOthers(queries, original)
  const ofOthers = countedFor(retry.created_by)
  return (rules, given) =>
    ofOthers(
      rules,
      given.filter(({ at }) => changedAt === null || at > changedAt),
    )
}

/** Approvals that count in a retry: the creator of the retry approves it themselves only where a rule allows that. */
export const countedFor =
  (maker: string): ApprovalsThatCount =>
  (rules, given) =>
    given.flatMap(approval => {
      const isOwn = isSameName(approval.username, maker)
      const counts = isOwn ? approval.rules.filter(at => rules[at]?.allow_self_approval === true) : approval.rules
      return counts.length === 0 ? [] : [{ ...approval, rules: counts }]
    })

const settingsStand = (now: JsonObject, before: JsonObject): boolean =>
  Object.entries(before).every(([key, value]) => resolvedAnew.has(key) || equal((now[key] ?? null) as Json, value))

/** Time at which a version of the properties that the change sees was last written by anything but its own steps. */
async function lastWrittenByOthers(queries: Queries, change: StoredChange): Promise<string | null> {
  const row = await queries.one(sql<{ at: string | null }>`
    with recursive retries as (
      select id, retry_of from changes where id = ${change.id}::uuid
      union
      select c.id, c.retry_of from retries r join changes c on c.id = r.retry_of
    ),
    owners as (
      select n.id from nodes n where n.id = ${change.node_id}::uuid
      union
      select n.environment_id from nodes n where n.id = ${change.node_id}::uuid
      union
      select ${change.project_id}::uuid
      union
      select v.template_id from template_version_names v where v.template_version_id = ${change.template_version_id}::uuid
      union
      select ${change.template_version_id}::uuid
    )
    select to_char(max(v.active_from) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at
      from owners o
      join properties p on p.owner_id = o.id
     cross join lateral (
       select v.active_from
         from properties_versions v
        where v.properties_id = p.id
          and not exists (select from steps s join retries r on r.id = s.activity_id where s.id = v.step_id)
        order by v.version desc
        limit 1) v`)
  return row!.at
}
