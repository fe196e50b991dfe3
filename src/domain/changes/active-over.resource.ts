import { sql } from '#platform/db/sql.ts'
import { failure } from '#platform/failure.ts'
import type { Resource } from '#platform/jsonapi/resource.ts'

const duration = /^P(?=\d|T\d)(?:\d{1,6}W|(?:\d{1,6}D)?(?:T(?=\d)(?:\d{1,6}H)?(?:\d{1,6}M)?(?:\d{1,9}S)?)?)$/

/**
 * The named filter `active_over` of changes, runs and activities: those that are unfinished this long after their
 * creation.
 */
export const activeOver: NonNullable<Resource['named']> = {
  active_over: {
    describe: 'Those that were made longer ago than this duration (ISO 8601, such as PT30M) and have not ended.',
    sql: value => {
      if (!duration.test(value))
        throw failure(
          'wrong-kind',
          'The value is a duration of ISO 8601 in weeks, days, hours, minutes and seconds: PT30M.',
        )
      return sql<boolean>`(not a.final and a.created_at < sluice_now() - ${value}::interval)`
    },
  },
}
