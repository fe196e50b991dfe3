import { text } from 'node:stream/consumers'
import { fromJson } from '../json/from-json.ts'
import { limits, type RunnerStart, runnerEnvironment } from '../protocol/runner-protocol.ts'
import { failpoint } from './failpoints.ts'
import { beginParts } from './parts.ts'

/**
 * The program that the service starts for each change: the part of a runner that communicates with the service and has
 * its secret. It loads nothing that a user wrote.
 */
const setting = (name: keyof typeof runnerEnvironment): string => {
  const value = process.env[runnerEnvironment[name]]
  if (!value) throw new Error(`${runnerEnvironment[name]} is not set: a runner is started by the service`)
  return value
}

// Ctrl-C in a terminal is for the service, which decides whether its runners end.
process.on('SIGINT', () => {})
process.on('SIGHUP', () => {})

const start = fromJson(await text(process.stdin)) as RunnerStart
failpoint('supervisor-started')
const silenceMilliseconds = start.silenceSeconds * 1_000
const options = {
  runnerId: setting('id'),
  serviceUrl: setting('serviceUrl'),
  folder: setting('folder'),
  start,
  limits: {
    ...limits,
    silenceMilliseconds,
    orphanedMilliseconds: silenceMilliseconds + limits.orphanedMilliseconds,
    hangMilliseconds: 30_000,
    longestPause: 2_000,
  },
}
const parts = beginParts(options)
const { supervise } = await import('./supervisor/supervise.ts')
const runner = supervise(options, parts)
process.on('SIGTERM', () => runner.stop('the runner was stopped'))
process.exitCode = await runner.ended
process.exit()
