import { pino } from 'pino'
import type { Log } from '../platform/domain.ts'

/** The service's own log: a line of JSON each on standard error, for whoever collects logs. Never a secret. */
export const openLog = (
  level: 'debug' | 'info' | 'warn' | 'error',
  destination: { write(line: string): void } = pino.destination({ fd: 2, sync: true }),
): Log & { debug(about: object, line: string): void } =>
  pino(
    {
      level,
      base: { pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: label => ({ level: label }) },
      redact: ['req.headers.authorization', 'req.headers.cookie', 'password', 'secret'],
    },
    destination,
  )
