import { type Sql, sql } from '#platform/db/sql.ts'

/**
 * Why a step `s` of the activity `a` ended as it did, if its own action does not say; null if it does, and while it has
 * not ended. The two rows do not change any more once it has ended, so the reason is not stored.
 */
export const outcomeReason: Sql = sql`(
  case s.status
    when 'skipped' then 'Left out by skip_steps or starting_step.'
    when 'cancelled' then 'The change was cancelled by ' || a.cancelled_by || '.'
    when 'aborted' then
      case when s.rejected then 'Rejected by ' || (s.rejected_by -> 0 ->> 'username') || '.'
           -- What was aborted before that was so for another reason.
           when s.finished_at >= (a.rejected_by -> 0 ->> 'at')::timestamptz
           then (a.rejected_by -> 0 ->> 'step') || ' was rejected.'
           else 'A step before it or above it did not succeed.' end
    when 'error' then case when s.body <> 'failed' then 'A step below it did not succeed.' end
    when 'system_error' then
      case when s.error_message is null then 'A step below it could not be carried out.' end
    when 'success' then
      case when s.ignore_failure and s.body = 'failed' then 'It failed, which is ignored.'
           when s.ignore_failure and s.failed_children > 0 then 'A step below it did not succeed, which is ignored.' end
  end collate "C")`
