import { raw, type Sql } from '#platform/db/sql.ts'

/** A runner is asked for, started, speaks, is to end when all is stored, and has ended with everything that it started. */
export type RunnerStatus = 'wanted' | 'starting' | 'live' | 'stopping' | 'gone'

const among = (...statuses: readonly RunnerStatus[]): Sql => raw(`(${statuses.map(each => `'${each}'`).join(', ')})`)

/** Of one that takes steps, or is on its way: whatever it works for has one such at most, by unique indexes. */
export const comingOrLive = among('wanted', 'starting', 'live')

/** Of one that was begun and is not known to have ended. */
export const begunStatuses = ['starting', 'live', 'stopping'] as const
export const begun = among(...begunStatuses)
