import { chownSync, mkdirSync } from 'node:fs'
import type { Readable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import { Intake, type Take } from '../bodies/body-output.ts'
import { type RunningBody, ScriptPool } from '../bodies/script-pool.ts'
import type { SupervisorPlace } from '../bodies/supervised-program.ts'
import { whyRefused } from '../sandbox/sandbox.ts'
import { places } from '../step/step-folder.ts'
import { downloadTree } from './download.ts'
import { installing } from './install.ts'
import { runIn, startIn, unpackingInto } from './placed-program.ts'

const mostAttempts = 20

/**
 * Installation by npm for other runners too: in a working copy that no step can reach, as a user that no step runs as,
 * or if there is only one user, hidden from the sandbox of every step.
 */
export class Installer {
  readonly #place: Omit<SupervisorPlace, 'intake'>
  readonly #archive: () => { url: URL; secret: string }
  #usable: Promise<boolean> | undefined

  /** @param archive address of the archive of the commit's tree */
  constructor(place: Omit<SupervisorPlace, 'intake'>, archive: () => { url: URL; secret: string }) {
    this.#place = place
    this.#archive = archive
  }

  /** Whether a place that no step can reach is available here: its sandbox can be used. */
  isUsable(): Promise<boolean> {
    this.#usable ??= this.#tried()
    return this.#usable
  }

  async #tried(): Promise<boolean> {
    this.#makePlace()
    return (await whyRefused(this.#place.sandbox, this.#place)) === undefined
  }

  /** Makes the working copy, and starts npm in it. */
  async start(
    npm: { node: string; npm: string },
    env: Record<string, string>,
    take: Take,
    signal: AbortSignal,
  ): Promise<RunningBody> {
    await this.#makeCopyWithRetries(signal)
    // Its own supervisor: one that has run a step's body knows that step's processes.
    const scripts = new ScriptPool({ ...this.#place, intake: new Intake() })
    const copy = places.copy(this.#place.work, '')
    const program = installing({ ...npm, copy }, { ...this.#place.env, ...env })
    const body = await scripts.start(program, take, () => !signal.aborted)
    const free = () => {
      body.free()
      scripts.end()
    }
    return {
      root: body.root,
      ended: body.ended,
      endsWhatIsLeft: body.endsWhatIsLeft,
      settled: () => body.settled(),
      free,
    }
  }

  /** The folders `node_modules`, as tar. */
  pack(signal: AbortSignal): { archive: Readable; ended: Promise<void> } {
    const script = 'cd copy && find . -name node_modules -type d -prune -print0 | tar -c --null -T - -f -'
    const { stdin, stdout, ended } = startIn(this.#place, ['/bin/sh', '-c', script], signal)
    stdin.end()
    return { archive: stdout, ended }
  }

  /** Removes its files. */
  async clear(): Promise<void> {
    this.#makePlace()
    await runIn(this.#place, ['/usr/bin/find', '.', '-mindepth', '1', '-delete'])
  }

  /**
   * Makes the copy and retries while the service, which provides the tree, is unavailable; as often as for a working
   * copy.
   */
  async #makeCopyWithRetries(signal: AbortSignal): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#makeCopy(signal)
      } catch (error) {
        if (signal.aborted || attempt === mostAttempts) throw error
        await wait(Math.min(200 * 2 ** attempt, 5_000), undefined, { signal })
      }
    }
  }

  async #makeCopy(signal: AbortSignal): Promise<void> {
    await this.clear()
    await runIn(this.#place, ['/bin/mkdir', '-m', '0700', 'home', 'tmp', 'copy'], { signal })
    const { stdin, stdout, ended } = startIn(this.#place, unpackingInto('copy'), signal)
    stdout.resume()
    await Promise.all([downloadTree(this.#archive(), stdin), ended])
  }

  #makePlace(): void {
    const { work, runAs } = this.#place
    mkdirSync(work, { recursive: true, mode: 0o700 })
    if (runAs) chownSync(work, runAs.uid, runAs.gid)
  }
}
