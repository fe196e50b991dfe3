import { raw, type Sql } from '#platform/db/sql.ts'

/**
 * Status of a runner: it is requested, started, connected, ending once everything is stored, and ended with everything
 * that it started.
 */
export type RunnerStatus = 'wanted' | 'starting' | 'live' | 'stopping' | 'gone'

const among = (...statuses: readonly RunnerStatus[]): Sql => raw(`(${statuses.map(each => `'${each}'`).join(', ')})`)

/** Condition for a runner that takes steps, or will: unique indexes allow one such runner for each activity or step. */
export const comingOrLive = among('wanted', 'starting', 'live')

/** Statuses of a runner that was started and is not known to have ended. */
export const begunStatuses = ['starting', 'live', 'stopping'] as const
export const begun = among(...begunStatuses)
