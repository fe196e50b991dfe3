import { chownSync, mkdirSync } from 'node:fs'
import { userInfo } from 'node:os'
import { extname, join } from 'node:path'
import { Bodies } from './bodies.ts'
import { Executors } from './executors.ts'
import type { KeeperPlace } from './keeper.ts'
import { findBubblewrap, sandboxed } from './sandbox.ts'
import { serviceAddress } from './service-address.ts'
import { baseEnvironment } from './step-environment.ts'
import type { SupervisorOptions } from './supervise.ts'

/** What a runner has besides its connection: what works with files, and what runs programs. */
export interface Parts {
  readonly place: Omit<KeeperPlace, 'intake'>
  readonly address: () => string
  readonly executors: Executors
  readonly bodies: Bodies
  /** For whoever looks after the runner. */
  complain(line: string): void
}

/**
 * Begins them: an executor and a keeper start while the supervisor loads what it needs for a connection, which takes as
 * long.
 */
export function beginParts(options: SupervisorOptions): Parts {
  const complain = (line: string) => console.error(`${new Date().toISOString()} ${line}`)
  const place = placeOfSteps(options)
  const address = serviceAddress(options.serviceUrl, options.start.addressFile)
  const executors = new Executors(options, place, address, complain)
  const bodies = new Bodies(place, complain)
  executors.begin()
  bodies.begin()
  return { place, address, executors, bodies, complain }
}

/** Where and as whom everything runs that the supervisor starts. Makes the folder that steps work in. */
function placeOfSteps({ folder, runnerId, start }: SupervisorOptions): Omit<KeeperPlace, 'intake'> {
  const { runAs, program, hide } = start
  const work = join(folder, 'work')
  mkdirSync(work, { recursive: true, mode: 0o700 })
  if (runAs) chownSync(work, runAs.uid, runAs.gid)
  const node = program?.node ?? process.execPath
  const programs = program?.folder ?? import.meta.dirname
  const userName = runAs?.name ?? userInfo().username
  // Another user's folders are closed to it anyway, and it could mount nothing over them.
  const view = runAs || hide.length === 0 ? nothing : { hide, show: [work], read: [programs] }
  const bwrap = start.sandbox ? findBubblewrap() : undefined
  return {
    node,
    program: programs,
    suffix: program ? '.js' : extname(import.meta.filename),
    work,
    ...(runAs && { runAs }),
    env: baseEnvironment({ runnerId, work, node, userName }),
    sandbox: bwrap ? sandboxed([], { bwrap, cwd: work, ...view }) : [],
  }
}

const nothing = { hide: [], show: [], read: [] }
