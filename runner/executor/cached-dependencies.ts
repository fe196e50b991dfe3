import { createHash, createHmac, type Hash, randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { readdir, rename, rm, stat, utimes } from 'node:fs/promises'
import { request as requestPlain } from 'node:http'
import { request as requestSecure } from 'node:https'
import { join } from 'node:path'
import { type Readable, Transform, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as wait } from 'node:timers/promises'

/** Maximum number of archives cached on a host. */
const mostKept = 20
/** Age without a write after which an archive was left behind by a runner that was killed while writing it. */
const abandonedAfterMilliseconds = 3_600_000

export interface CachePlace {
  /** Folder that belongs to the service's user alone. */
  readonly folder: string
  readonly key: string
  readonly address: () => string
  /** Secret of the runner. */
  readonly secret: string
}

/**
 * Cache of archives of what npm has installed, shared by the runners of a host. The service has a digest of each, which
 * no step can report: an archive that a step has changed, or put there, is not used (docs/adr/0096).
 */
export class CachedDependencies {
  readonly #place: CachePlace

  constructor(place: CachePlace) {
    this.#place = place
  }

  /**
   * Name of an archive, derived from the commit, Node's version, and the step's environment for npm, which determines
   * where npm gets packages from and may even make it run something. So a step receives only archives made in the same
   * environment.
   */
  nameOf(commit: string, env: Readonly<Record<string, string>>): string {
    const given = Object.entries(env).toSorted(([a], [b]) => (a < b ? -1 : 1))
    return createHmac('sha256', this.#place.key)
      .update(JSON.stringify([commit, process.versions.modules, process.arch, given]))
      .digest('hex')
  }

  /**
   * Writes the archive into `to`.
   *
   * @param made its digest, if this runner has made it itself
   * @returns whether it is the archive that was stored; otherwise nothing that was written may be used
   */
  async read(name: string, to: Writable, made?: string): Promise<boolean> {
    const file = this.#file(name)
    const hash = createHash('sha256')
    await pipeline(createReadStream(file), hashing(hash), to)
    const sha256 = hash.digest('hex')
    if (sha256 !== made && !(await this.#asked('GET', name, sha256))) {
      await rm(file, { force: true })
      return false
    }
    const now = new Date()
    await utimes(file, now, now).catch(() => {})
    return true
  }

  has(name: string): Promise<boolean> {
    return stat(this.#file(name)).then(
      found => found.isFile(),
      () => false,
    )
  }

  /**
   * Stores an archive: completely or not at all. Returns its digest. Waits for an unavailable service, until `signal`.
   */
  async keep(name: string, archive: Readable, signal: AbortSignal): Promise<string> {
    const making = `${this.#file(name)}.${randomUUID()}.making`
    try {
      const hash = createHash('sha256')
      await pipeline(archive, hashing(hash), createWriteStream(making, { mode: 0o600, flags: 'wx' }))
      const sha256 = hash.digest('hex')
      await retryWhileUnavailable(() => this.#asked('PUT', name, sha256), signal)
      await rename(making, this.#file(name))
      return sha256
    } finally {
      await rm(making, { force: true })
      await this.#removeOldest()
    }
  }

  #file(name: string): string {
    return join(this.#place.folder, `${name}.tar`)
  }

  async #removeOldest(): Promise<void> {
    const { folder } = this.#place
    const all = await Promise.all(
      (await readdir(folder)).map(async name => {
        const about = await stat(join(folder, name)).catch(() => undefined)
        return { file: join(folder, name), at: about?.mtimeMs ?? 0 }
      }),
    )
    const oldest = all
      .filter(({ file }) => file.endsWith('.tar'))
      .toSorted((a, b) => b.at - a.at)
      .slice(mostKept)
    const abandoned = all.filter(
      ({ file, at }) => file.endsWith('.making') && at < Date.now() - abandonedAfterMilliseconds,
    )
    for (const { file } of [...oldest, ...abandoned]) await rm(file, { force: true })
  }

  /** Asks the service whether it knows a digest (GET), or reports one (PUT). @throws when the service is unavailable */
  #asked(method: 'GET' | 'PUT', name: string, sha256: string): Promise<boolean> {
    const url = new URL(`/runner/dependencies/${name}/${sha256}`, this.#place.address())
    const request = url.protocol === 'https:' ? requestSecure : requestPlain
    const headers = { authorization: `Bearer ${this.#place.secret}` }
    return new Promise((resolve, reject) => {
      const asking = request(url, { method, headers, timeout: 60_000 }, answer => {
        answer.resume()
        const { statusCode = 500 } = answer
        if (statusCode === 204 || (statusCode === 404 && method === 'GET')) resolve(statusCode === 204)
        else {
          const why = `the service answered ${statusCode}`
          reject(statusCode < 500 ? new Answered(why) : new Error(why))
        }
      })
      asking.once('error', reject)
      asking.once('timeout', () => asking.destroy(new Error('the service says nothing')))
      asking.end()
    })
  }
}

/** Error with which the service refused a request. */
class Answered extends Error {}

/** Retries a request while the service is unavailable or starting, so that its restart does not fail the step. */
async function retryWhileUnavailable<T>(ask: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (let pause = 200; ; pause = Math.min(pause * 2, 5_000)) {
    try {
      return await ask()
    } catch (error) {
      if (error instanceof Answered) throw error
      await wait(pause, undefined, { signal })
    }
  }
}

const hashing = (hash: Hash): Transform =>
  new Transform({
    transform: (bytes: Buffer, _encoding, done) => {
      hash.update(bytes)
      done(null, bytes)
    },
  })
