import { chownSync, mkdirSync, realpathSync } from 'node:fs'
import { userInfo } from 'node:os'
import { dirname, extname, join } from 'node:path'
import { Bodies } from './bodies/bodies.ts'
import type { SupervisorPlace } from './bodies/supervised-program.ts'
import { complain } from './complain.ts'
import type { SharedDependencies } from './executor/shared-dependencies.ts'
import { findBubblewrap, sandboxOf, type View } from './sandbox/sandbox.ts'
import { baseEnvironment } from './step/step-environment.ts'
import type { ExecutorPlace } from './supervisor/executor-host.ts'
import { Executors } from './supervisor/executors.ts'
import { ServiceAddress } from './supervisor/service-address.ts'
import type { SupervisorOptions } from './supervisor/supervisor-options.ts'

/** Parts of a runner besides its connection: those that work with files, and those that run programs. */
export interface Parts {
  readonly place: Omit<SupervisorPlace, 'intake'>
  readonly address: ServiceAddress
  readonly executors: Executors
  readonly bodies: Bodies
  /** Dependencies shared with other runners, if any; loaded on demand, which few steps do. */
  readonly shared: (() => Promise<SharedDependencies>) | undefined
  /** Reports a problem to the operator of the runner. */
  complain(line: string): void
}

/**
 * Starts them: an executor and a process supervisor start while the supervisor loads what it needs for a connection,
 * which takes as long.
 */
export function beginParts(options: SupervisorOptions): Parts {
  const { place, ofExecutor, ofInstaller } = placesOf(options)
  const { serviceUrl, start } = options
  const address = new ServiceAddress(serviceUrl, start.addressFiles)
  const executors = new Executors(options, ofExecutor, () => address.current(), complain)
  const bodies = new Bodies(place, complain)
  executors.begin()
  bodies.begin()
  const { dependencies, secret } = options.start
  let loaded: Promise<SharedDependencies> | undefined
  const shared =
    ofInstaller &&
    dependencies &&
    (() => {
      loaded ??= import('./executor/shared-dependencies.ts').then(({ openShared }) =>
        openShared({
          executors,
          kept: { ...dependencies, address: () => address.current(), secret },
          installer: ofInstaller,
          complain,
        }),
      )
      return loaded
    })
  return { place, address, executors, bodies, shared, complain }
}

/** Determines folder and user of everything that the supervisor starts. Creates the folder that steps work in. */
function placesOf({ folder, runnerId, start }: SupervisorOptions): {
  place: Parts['place']
  ofExecutor: ExecutorPlace
  ofInstaller: Parts['place'] | undefined
} {
  const { runAs, prepareAs, program } = start
  const work = join(folder, 'work')
  mkdirSync(work, { recursive: true, mode: 0o700 })
  if (runAs) chownSync(work, runAs.uid, runAs.gid)
  const node = program?.node ?? process.execPath
  const programs = program?.folder ?? import.meta.dirname
  const userName = runAs?.name ?? userInfo().username
  // The files that the runner's own files import are beside them.
  const shown = program ? dirname(programs) : programs
  const common = {
    node,
    program: programs,
    suffix: program ? '.js' : extname(import.meta.filename),
    work,
    ...(runAs && { runAs }),
    env: baseEnvironment({ runnerId, work, node, userName }),
  }
  const bwrap = start.sandbox ? findBubblewrap() : undefined
  // Steps of all runners have the same user, so the folders of others are hidden even if that is not the service's own
  // user.
  const hide = start.hide.map(path => realpathSync(path))
  // Node is hidden too if the home of the service's user is both its data folder and where Node is installed.
  const read = () => [shown, node].map(path => realpathSync(path))
  const view = hide.length === 0 ? everything : { hide, show: [realpathSync(work)], read: read() }
  const sandbox = bwrap ? sandboxOf(view, { bwrap, cwd: work }) : []
  /**
   * Place of the installer, which no step can reach: it belongs to another user, or the sandbox hides it from all
   * steps. Undefined if neither is possible.
   */
  const ofInstaller = (): Parts['place'] | undefined => {
    const bubblewrap = findBubblewrap()
    if (!bubblewrap || (runAs ? !prepareAs : !start.sandbox || hide.length === 0)) return undefined
    const apart = join(realpathSync(folder), 'install')
    return {
      ...common,
      work: apart,
      env: baseEnvironment({ runnerId, work: apart, node, userName: prepareAs?.name ?? userName }),
      sandbox: sandboxOf({ hide, show: [apart], read: read() }, { bwrap: bubblewrap, cwd: apart }),
      ...(prepareAs && { runAs: prepareAs }),
    }
  }
  return {
    place: { ...common, sandbox },
    // With nothing to hide, an executor in a sandbox would see no less than one without.
    ofExecutor: { ...common, sandbox: hide.length > 0 ? sandbox : [] },
    ofInstaller: ofInstaller(),
  }
}

const everything: View = { hide: [], show: [], read: [] }
