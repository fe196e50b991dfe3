import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { namesOf, revisionFault } from '#authoring/revision.ts'
import { clockOf } from '#platform/db/clock.ts'
import type { Queries, Tx } from '#platform/db/database.ts'
import { isUuid } from '#platform/jsonapi/kinds.ts'
import { ArchiveCache } from './archive-cache.adapter.ts'
import type { CommitComparison } from './commit-comparison.ts'
import { type Credentials, prepareAnswers } from './credentials.adapter.ts'
import { GitFailure } from './git-failure.ts'
import { type GitProgram, gitProgram } from './git-program.adapter.ts'
import { credentialsOf, deletedAmong, pinCommit, type StoredRemote } from './git-remote.store.ts'
import { lacksObjects, Mirror } from './mirror.adapter.ts'
import { type FetchOptions, MirrorFetcher, type MirrorFetcherOptions } from './mirror-fetcher.adapter.ts'
import { MirrorMemory } from './mirror-memory.ts'
import { type ReachedRemote, reaching } from './reach.adapter.ts'
import type { GitProtocol } from './remote-url.ts'
import type { TreeEntry } from './tree.ts'

/**
 * The repositories of Git remotes for all other code. Each is mirrored in the data folder, created when it is first
 * needed. Commits are read locally; one that is not on this machine is fetched first.
 *
 * All methods reject with `GitFailure` when git fails; its message may be shown.
 */
export interface Git {
  readonly protocols: readonly GitProtocol[]
  /**
   * Updates the mirror: one fetch at a time for each remote, in all processes.
   *
   * @returns its duration in milliseconds without waiting; undefined if the mirror was fresh enough
   */
  fetch(remoteId: string, options?: FetchOptions): Promise<number | undefined>
  /**
   * Checks that a remote can be reached with these credentials: lists its branches, and waits 5 s at most. @throws
   * GitFailure
   */
  probe(remote: { url: string; user: string | null; credentials: Credentials }): Promise<void>
  /**
   * The commit of a branch, tag or id in the mirror as it is; undefined when there is none. Rejects if the name is a
   * branch and a tag.
   */
  resolve(remoteId: string, revision: string): Promise<string | undefined>
  /** The full names (`refs/heads/…`, `refs/tags/…`) that a revision may refer to in the mirror as it is. */
  refsNamed(remoteId: string, revision: string): Promise<readonly string[]>
  /** Matching refs of the remote itself now; waits 5 s at most. */
  askForRefs(remote: StoredRemote, revision: string): Promise<readonly string[]>
  /**
   * Result of `resolve` if it is known without starting git: this process has resolved that revision since the newest
   * fetch, which began less than `freshMilliseconds` ago.
   */
  known(queries: Queries, remoteId: string, revision: string, freshMilliseconds: number): Promise<string | undefined>
  /** Whether this machine's mirror has the commit, so that reading it does not wait for the remote. */
  holds(remoteId: string, commit: string): Promise<boolean>
  /**
   * Keeps a commit for as long as the remote's record exists, whatever happens to its branch. Its ref is in the mirror
   * before the row commits with the caller's transaction. Must be called before a record names the commit.
   */
  keep(tx: Tx, remoteId: string, commit: string): Promise<void>
  /** Entries of a folder ('' = the root), with `deep` all files below it. */
  listFiles(remoteId: string, commit: string, folder: string, deep?: boolean): Promise<TreeEntry[]>
  /** Paths of the files in which two commits differ; for a single commit, all of its files. */
  touched(remoteId: string, from: string | null, to: string): Promise<string[]>
  /** Difference of two commits: two hundred commits at most of each side, and a thousand files. */
  compare(remoteId: string, from: string, to: string): Promise<CommitComparison>
  /** Contents of entries of `listFiles`, by path. */
  readFiles(remoteId: string, commit: string, entries: readonly TreeEntry[]): Promise<Map<string, Buffer>>
  /** Content of one file, or undefined when there is none of that name. */
  readFile(remoteId: string, commit: string, path: string): Promise<Buffer | undefined>
  /** The commit's tree as a stream of tar, as a checkout would have it. */
  archive(remoteId: string, commit: string): Promise<Readable>
  /** Deletes the mirror of a deleted remote. */
  removeMirror(remoteId: string): Promise<void>
  /** Deletes the mirrors of all deleted remotes, wherever they were deleted: each host has mirrors of its own. */
  removeOrphaned(): Promise<void>
  /**
   * Repacks the packs of many fetches in the mirrors of this machine.
   *
   * @param failed called with the failure of a mirror; the others are still repacked
   * @param stop ends it soon, also in the middle of a mirror and while it waits for a fetch into one
   */
  tidy(failed: (remoteId: string, failure: GitFailure) => void, stop?: AbortSignal): Promise<void>
}

export interface GitOptions extends Omit<MirrorFetcherOptions, 'reach' | 'mirrorOf' | 'settings'> {
  /** Data folder; mirrors are in its subfolder `mirrors`. */
  readonly dataDir: string
  /** Networks of private addresses that remotes may be reached at over http. */
  readonly privateAddresses: readonly string[]
  /** Variables of the service's environment that git inherits: PATH, and proxies where there are any. */
  readonly environment: Readonly<Record<string, string>>
  /** Settings, read before each fetch because they can change. Without them: no known hosts, and fresh for 3 s. */
  readonly settings?: () => Promise<{
    /** Lines of an ssh known_hosts file. Without one for its host no remote is reached by ssh. */
    readonly knownHosts: readonly string[]
    readonly freshMilliseconds: number
  }>
}

const mostCompared = { commits: 200, files: 1_000 }

/** Milliseconds between two attempts to lock a mirror that is being fetched into. */
const betweenLooks = 1_000

export async function openGit(options: GitOptions): Promise<Git> {
  const { database, keyring, dataDir, protocols } = options
  const mirrors = join(dataDir, 'mirrors')
  await mkdir(mirrors, { recursive: true, mode: 0o700 })
  const answersFolder = await prepareAnswers(join(dataDir, 'git'))
  const program = gitProgram({ home: answersFolder, protocols, environment: options.environment })
  const mirrorOf = (remoteId: string) => new Mirror(program, join(mirrors, `${remoteId}.git`))
  const archives = new ArchiveCache()
  const memory = new MirrorMemory()
  const reach = reaching({ ...options, answersFolder })
  const fetcher = new MirrorFetcher({ ...options, reach, mirrorOf })

  /** Reads from the mirror once it contains that commit; a damaged mirror is made again, once. */
  const reading = async <T>(remoteId: string, commit: string, read: (mirror: Mirror) => Promise<T>): Promise<T> => {
    const mirror = mirrorOf(remoteId)
    const attempt = async (): Promise<T> => {
      if (!(await memory.holds(mirror, commit))) await fetcher.fetch(remoteId)
      if (!(await memory.holds(mirror, commit)))
        await fetcher.change(remoteId, source => mirror.fetchCommit(source, commit))
      return read(mirror)
    }
    try {
      return await attempt()
    } catch (error) {
      if (!(error instanceof GitFailure)) throw error
      // During a fetch a commit may be visible before its trees; it is complete once the fetch is done.
      if (lacksObjects(error)) await fetcher.locked(remoteId, async () => {})
      // Another program has changed the mirror.
      const remembered = memory.drop(mirror)
      if (await mirror.isDamaged(error)) await fetcher.change(remoteId, source => mirror.makeAgain(source))
      else if (!lacksObjects(error) && (!remembered || (await mirror.has(commit)))) throw error
      return attempt()
    }
  }

  /** The remotes that have data on this machine. */
  const mirrored = async (): Promise<string[]> => [
    ...new Set((await readdir(mirrors)).map(name => name.replace(/\.git(?:\..*)?$/, '')).filter(isUuid)),
  ]

  return {
    protocols,
    fetch: (remoteId, how) => fetcher.fetch(remoteId, how),
    probe: remote => reach(remote, source => probe(program, source)),
    resolve: async (remoteId, revision) =>
      revisionFault(revision) === undefined ? memory.resolve(mirrorOf(remoteId), revision) : undefined,
    refsNamed: async (remoteId, revision) =>
      revisionFault(revision) === undefined ? memory.refsNamed(mirrorOf(remoteId), revision) : [],
    askForRefs: async (remote, revision) => {
      const names = revisionFault(revision) === undefined ? namesOf(revision) : []
      if (names.length === 0) return []
      const signIn = { url: remote.url, user: remote.user, credentials: credentialsOf(keyring, remote) }
      // Outside of the circuit breaker: a host that takes longer than this still answers, and can be fetched from.
      if (fetcher.isSilent(remote)) throw new GitFailure(`${fetcher.hostOf(remote)} does not answer`, '', null)
      return reach(signIn, source => refsAt(program, source, names))
    },
    known: async (queries, remoteId, revision, freshMilliseconds) => {
      const mirror = mirrorOf(remoteId)
      const known = await memory.known(mirror, revision)
      if (known === undefined) return undefined
      return (await mirror.age(await clockOf(queries))) < freshMilliseconds ? known : undefined
    },
    holds: (remoteId, commit) => memory.holds(mirrorOf(remoteId), commit),
    keep: (tx, remoteId, commit) =>
      reading(remoteId, commit, async mirror => {
        const { committedAt, subject } = await memory.keep(mirror, commit)
        await pinCommit(tx, remoteId, { commit, committedAt, subject })
      }),
    listFiles: (remoteId, commit, folder, deep = false) =>
      reading(remoteId, commit, mirror => mirror.list(commit, folder, deep)),
    touched: (remoteId, from, to) =>
      reading(remoteId, to, async mirror =>
        from === null ? (await mirror.list(to, '', true)).map(({ path }) => path) : mirror.touched(from, to),
      ),
    compare: async (remoteId, from, to) => {
      // Both commits have to be on this machine.
      await reading(remoteId, from, async () => {})
      return reading(remoteId, to, mirror => mirror.compare(from, to, mostCompared))
    },
    readFiles: (remoteId, commit, entries) =>
      reading(remoteId, commit, async mirror => {
        const contents = await mirror.read([...new Set(entries.map(({ objectId }) => objectId))])
        return new Map(entries.map(({ path, objectId }) => [path, contents.get(objectId)!]))
      }),
    readFile: (remoteId, commit, path) =>
      reading(remoteId, commit, async mirror => {
        const folder = path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : ''
        const entry = (await mirror.list(commit, folder, false)).find(
          each => each.path === path && each.kind === 'file',
        )
        return entry && (await mirror.read([entry.objectId])).get(entry.objectId)
      }),
    archive: (remoteId, commit) =>
      archives.of(`${remoteId} ${commit}`, () => {
        // Read again: a failure while a stream is being read comes too late to be repaired.
        memory.drop(mirrorOf(remoteId))
        return reading(remoteId, commit, async mirror => mirror.archive(commit))
      }),
    removeMirror: remoteId => mirrorOf(remoteId).remove(),
    removeOrphaned: async () => {
      // Listed before the records are read: a mirror is created after its record.
      const ids = await mirrored()
      if (ids.length === 0) return
      const deleted = await deletedAmong(database, ids)
      for (const { id } of deleted) await mirrorOf(id).remove()
    },
    tidy: async (failed, stop = new AbortController().signal) => {
      for (const id of await mirrored()) {
        const mirror = mirrorOf(id)
        if (stop.aborted || !(await mirror.isUntidy())) continue
        try {
          // A statement that waits in the database cannot be stopped.
          while (!stop.aborted && !(await fetcher.locked(id, () => mirror.tidy(stop), { unlessHeld: true })))
            await pause(betweenLooks, undefined, { signal: stop }).catch(() => {})
        } catch (error) {
          if (!(error instanceof GitFailure)) throw error
          if (!stop.aborted) failed(id, error)
        }
      }
    },
  }
}

async function probe(program: GitProgram, { url, where, answers }: ReachedRemote) {
  const options = ['--quiet', '--heads', ...Mirror.uploadPackFor(where)]
  await program.run({ args: ['ls-remote', ...options, '--', url], answers, timeoutMilliseconds: 5_000 })
}

async function refsAt(
  program: GitProgram,
  { url, where, answers }: ReachedRemote,
  names: readonly string[],
): Promise<readonly string[]> {
  const args = ['ls-remote', '--quiet', ...Mirror.uploadPackFor(where), '--', url, ...names]
  const told = (await program.run({ args, answers, timeoutMilliseconds: 5_000 })).toString()
  // The requested name is a pattern, which also fits the ends of longer names.
  const found = new Set(told.split('\n').map(line => line.slice(line.indexOf('\t') + 1)))
  return names.filter(name => found.has(name))
}
