import type { Keyring } from '#platform/crypto/index.ts'
import type { Queries } from '#platform/db/database.ts'
import { equal, type Json, type JsonObject } from '#platform/documents/document.ts'
import type { ApprovalsThatCount } from '../steps/for-changes.ts'
import { isSameName } from '../users/index.ts'
import { overridesOf, type StoredChange } from './change.store.ts'
import { resolvedSettings } from './change-context.tx.ts'
import { resolvedAnew } from './retried-settings.tx.ts'
import { lastWrittenByOthers } from './seen-properties.store.ts'

/**
 * Decides which approvals of a change count for its retry: those given to exactly what runs now. None counts if the
 * retry has another commit, mask, overrides or settings; and each only if the properties that the change sees were not
 * written since, except by steps of the change itself and of its original. The creator of the retry may approve it only
 * if a rule allows self-approval.
 */
export async function approvalsThatCount(
  keyring: Keyring,
  queries: Queries,
  { retry, original, commitSha }: { retry: StoredChange; original: StoredChange; commitSha: string | null },
): Promise<ApprovalsThatCount> {
  const isSame =
    commitSha === original.commit_sha &&
    retry.template_version_id === original.template_version_id &&
    equal([...retry.skip_steps], [...original.skip_steps]) &&
    equal(overridesOf(keyring, retry), overridesOf(keyring, original)) &&
    hasSameSettings(resolvedSettings(keyring, retry), resolvedSettings(keyring, original))
  if (!isSame) return () => []
  const changedAt = await lastWrittenByOthers(queries, original)
  const ofOthers = countedFor(retry.created_by)
  return (rules, given) =>
    ofOthers(
      rules,
      given.filter(({ at }) => changedAt === null || at > changedAt),
    )
}

/** Approvals that count in a retry: those of the creator of the retry only if a rule allows self-approval. */
export const countedFor =
  (maker: string): ApprovalsThatCount =>
  (rules, given) =>
    given.flatMap(approval => {
      const isOwn = isSameName(approval.username, maker)
      const counts = isOwn ? approval.rules.filter(at => rules[at]?.allow_self_approval === true) : approval.rules
      return counts.length === 0 ? [] : [{ ...approval, rules: counts }]
    })

const hasSameSettings = (now: JsonObject, before: JsonObject): boolean =>
  Object.entries(before).every(([key, value]) => resolvedAnew.has(key) || equal((now[key] ?? null) as Json, value))
