import { writeFileSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { ambiguousRevision, isCommitId, namesOf } from '#authoring/revision.ts'
import { type CommitComparison, commitFormat, readChangedFiles, readCommits } from './commit-comparison.ts'
import type { AnswersFor } from './credentials.adapter.ts'
import { GitFailure } from './git-failure.ts'
import type { GitCall, GitProgram } from './git-program.adapter.ts'
import type { RemoteUrl } from './remote-url.ts'
import { readBatch, readTreeEntry, type TreeEntry } from './tree.ts'

export interface FetchFrom {
  readonly url: string
  readonly where: RemoteUrl
  readonly answers: AnswersFor
  readonly timeoutMilliseconds: number
  readonly silenceMilliseconds: number
  readonly signal?: AbortSignal
  readonly onProgress?: (text: string) => void
  /** The commits that records name: a mirror that is created gets their refs too. */
  readonly kept: () => Promise<readonly string[]>
}

const pinRef = (commit: string): string => `refs/sluice/keep/${commit}`
const refspecOf = (commit: string): string => `+${commit}:${pinRef(commit)}`

/**
 * A bare copy of one remote's branches and tags on this machine: a cache, created when it is first needed, and again
 * when it is missing or damaged. Commits that records refer to also have refs of their own, which no fetch removes. A
 * fetch into it holds the remote's lock.
 */
export class Mirror {
  readonly #git: GitProgram
  readonly folder: string

  constructor(git: GitProgram, folder: string) {
    this.#git = git
    this.folder = folder
  }

  /**
   * Milliseconds since the newest successful fetch began; infinite when there was none.
   *
   * @param now the database's time, in milliseconds since 1970
   */
  async age(now: number): Promise<number> {
    if (!(await exists(join(this.folder, 'HEAD')))) return Number.POSITIVE_INFINITY
    const began = await readFile(this.#stamp, 'utf8').catch(unlessMissing)
    if (began === undefined) return Number.POSITIVE_INFINITY
    const age = now - Number(began)
    // A fetch that began just after `now` was read; further ahead its time is from another clock, and means nothing.
    return age < -aheadAtMost ? Number.POSITIVE_INFINITY : Math.max(0, age)
  }

  /** Texts that change when its folder is made again (empty: there is none), and when it is fetched again. */
  async state(): Promise<{ folder: string; fetched: string }> {
    const [its, fetched] = await Promise.all([
      stat(this.folder, { bigint: true }).catch(unlessMissing),
      readFile(this.#stamp, 'utf8').catch(unlessMissing),
    ])
    return { folder: its ? `${its.dev} ${its.ino} ${its.birthtimeNs}` : '', fetched: fetched ?? '' }
  }

  /** @param began the database's time, as `age` takes it */
  async fetch(from: FetchFrom, began: number): Promise<void> {
    await this.#endAbandoned()
    try {
      const made = await this.#make()
      await this.#fetch(from, branchesAndTags)
      if (made) await this.#pinAgain(from)
    } catch (error) {
      if (!(error instanceof GitFailure) || !(await this.isDamaged(error))) throw error
      await this.makeAgain(from)
    }
    await writeFile(this.#stamp, String(began))
  }

  /**
   * Fetches one commit by its id, which servers allow for commits reachable from branches and tags, and many for all.
   */
  async fetchCommit(from: FetchFrom, commit: string): Promise<void> {
    await this.#endAbandoned()
    await this.#make()
    await this.#fetch(from, [refspecOf(commit)])
  }

  /**
   * @returns the commit of a branch, tag, ref or id, or undefined when there is none
   * @throws GitFailure if the name is ambiguous: git would prefer a tag to a branch of the same name
   */
  async resolve(revision: string): Promise<string | undefined> {
    const name = `${revision}^{commit}`
    const [found, refs] = await Promise.all([
      this.#run(['rev-parse', '--verify', '--quiet', '--end-of-options', name]).catch(noSuchThing),
      this.refsNamed(revision),
    ])
    if (refs.length > 1) throw new GitFailure(ambiguousRevision(revision, refs), '', null)
    const commit = found?.toString().trim()
    return commit && isCommitId(commit) ? commit : undefined
  }

  /** The full names of its branches and tags that a revision may refer to; none for a full name. */
  async refsNamed(revision: string): Promise<string[]> {
    const names = namesOf(revision)
    if (names.length === 0) return []
    const found = (await this.#run(['for-each-ref', '--format=%(refname)', '--', ...names])).toString().split('\n')
    // A name alone also matches refs below it.
    return names.filter(name => found.includes(name))
  }

  async has(commit: string): Promise<boolean> {
    return (await this.resolve(commit).catch(noAnswer)) === commit
  }

  async keep(commit: string): Promise<void> {
    await this.#run(['update-ref', '--no-deref', pinRef(commit), commit])
  }

  /** Time of the commit (ISO 8601, UTC; null for an invalid time) and the first line of its message. */
  async describe(commit: string): Promise<{ committedAt: string | null; subject: string }> {
    const text = (await this.#run(['show', '--no-patch', '--format=%ct%n%s', commit, '--'])).toString()
    const [seconds = '', subject = ''] = text.split('\n')
    return { committedAt: timeOfCommit(seconds), subject: subject.slice(0, 1_000) }
  }

  /** Entries of a folder ('' = the root), bytewise by path, with `deep` all files below it. */
  async list(commit: string, folder: string, deep: boolean): Promise<TreeEntry[]> {
    const args = ['ls-tree', '-z', '-l', '--full-tree', ...(deep ? ['-r'] : []), commit]
    const listed = await this.#run([...args, ...(folder === '' ? [] : ['--', `${folder}/`])])
    return listed.toString().split('\0').filter(Boolean).map(readTreeEntry)
  }

  /** Paths of the files in which two commits differ; of one that was moved, both. */
  async touched(from: string, to: string): Promise<string[]> {
    const args = ['diff-tree', '-r', '-z', '--name-only', '--no-renames', '--no-commit-id', '--end-of-options']
    return (await this.#run([...args, from, to])).toString().split('\0').filter(Boolean)
  }

  /** Difference of two commits, with limited lists. */
  async compare(from: string, to: string, most: { commits: number; files: number }): Promise<CommitComparison> {
    const range = `${from}...${to}`
    const list = (side: '--left-only' | '--right-only') =>
      this.#run([
        ...['log', '-z', '--left-right', side, `--max-count=${most.commits}`, `--format=${commitFormat}`],
        ...['--end-of-options', range, '--'],
      ])
    const renames = ['-M', '-l200']
    const [counts, left, right, files] = (
      await Promise.all([
        this.#run(['rev-list', '--left-right', '--count', '--end-of-options', range, '--']),
        list('--left-only'),
        list('--right-only'),
        this.#run(['diff-tree', '-r', '-z', '--name-status', ...renames, '--end-of-options', from, to]),
      ])
    ).map(String) as [string, string, string, string]
    const [removed = 0, added = 0] = counts.trim().split(/\s+/).map(Number)
    const changed = readChangedFiles(files)
    return {
      commits: readCommits(right, timeOfCommit).right,
      commit_count: added,
      removed_commits: readCommits(left, timeOfCommit).left,
      removed_commit_count: removed,
      files: changed.slice(0, most.files),
      file_count: changed.length,
    }
  }

  /** Contents by object id. */
  async read(objectIds: readonly string[]): Promise<Map<string, Buffer>> {
    if (objectIds.length === 0) return new Map()
    const answer = await this.#run(['cat-file', '--batch'], { input: objectIds.map(id => `${id}\n`).join('') })
    const { contents, missing } = readBatch(answer)
    if (missing !== undefined) throw new GitFailure(`the mirror lacks object ${missing}`, `missing ${missing}`, 0)
    return contents
  }

  /** The commit's tree as tar, as a checkout would have it. */
  archive(commit: string): Readable {
    return this.#git.stream({
      args: [`--git-dir=${this.folder}`, 'archive', '--format=tar', commit],
      timeoutMilliseconds: 600_000,
    })
  }

  /** Whether the mirror's own state made git fail. */
  async isDamaged(failure: GitFailure): Promise<boolean> {
    if (!(await exists(join(this.folder, 'HEAD')))) return true
    const usable = await this.#run(['rev-parse', '--git-dir']).catch(noAnswer)
    if (!usable) return true
    // Checking all objects takes long in a big mirror, so it is only done after an error about objects.
    if (!lacksObjects(failure)) return false
    const fsck = await this.#run(['fsck', '--connectivity-only', '--no-dangling', '--no-progress'], {
      timeoutMilliseconds: 600_000,
    }).catch(noAnswer)
    return fsck === undefined
  }

  /**
   * Recreates a damaged mirror: from the remote, and from the damaged one whatever can still be read there. The damaged
   * one stays in place until the new one is complete: if the remote is unavailable, or we are killed meanwhile, commits
   * that exist only there are not lost.
   */
  async makeAgain(from: FetchFrom): Promise<void> {
    const again = new Mirror(this.#git, `${this.folder}.again`)
    await again.#endAbandoned()
    await rm(again.folder, { recursive: true, force: true })
    await again.#make()
    await again.#fetch(from, branchesAndTags)
    await again.#pinAgain(from, this.folder)
    await rename(again.folder, this.#whole)
    await this.#takeOver()
  }

  /** Whether fetches have left enough packs or loose objects to slow down reading soon. */
  async isUntidy(): Promise<boolean> {
    const [packs, alone] = await Promise.all(
      // Objects are spread evenly over 256 folders.
      ['objects/pack', 'objects/17'].map(
        async folder => (await readdir(join(this.folder, folder)).catch(unlessMissing)) ?? [],
      ),
    )
    return packs!.filter(name => name.endsWith('.pack')).length > mostPacks || alone!.length > mostAlone / 256
  }

  /**
   * Combines small packs, so that each remaining one is at least twice as large as the next, and large ones are rarely
   * rewritten. No object is removed.
   */
  async tidy(signal: AbortSignal): Promise<void> {
    await this.#endAbandoned()
    await this.#write(['repack', '--geometric=2', '-d', '--quiet'], { timeoutMilliseconds: 600_000, signal })
  }

  /** Removes the mirror with everything beside it, also one that was being recreated. */
  async remove(): Promise<void> {
    for (const name of await readdir(dirname(this.folder)))
      if (name === basename(this.folder) || name.startsWith(`${basename(this.folder)}.`))
        await rm(join(dirname(this.folder), name), { recursive: true, force: true })
  }

  /**
   * Git refuses to read a folder that belongs to another user, and the reading side ignores our configuration. That
   * check protects people who enter a foreign folder; here the right to register a remote by `file` means exactly this,
   * so the check is disabled for the program that reads the folder.
   */
  static uploadPackFor({ protocol }: RemoteUrl): string[] {
    return protocol === 'file' ? ['--upload-pack', "git -c 'safe.directory=*' upload-pack"] : []
  }

  get #stamp(): string {
    return join(this.folder, 'sluice-fetched')
  }

  get #pidFile(): string {
    return `${this.folder}.fetching`
  }

  /** Folder of a recreated mirror that will replace the damaged one. */
  get #whole(): string {
    return `${this.folder}.whole`
  }

  #run(args: readonly string[], more: Partial<GitCall> = {}): Promise<Buffer> {
    return this.#git.run({ ...more, args: [`--git-dir=${this.folder}`, ...args] })
  }

  /**
   * Creates the mirror beside its place and moves it there, so that the mirror there is always complete. Returns true
   * when there was none.
   */
  async #make(): Promise<boolean> {
    await this.#takeOver()
    if (await exists(join(this.folder, 'HEAD'))) return false
    const making = `${this.folder}.making`
    await rm(making, { recursive: true, force: true })
    // HEAD is a branch that does not exist: the remote's own is unknown here, and no other must be mistaken for it.
    const init = ['init', '--bare', '--quiet', '--template=', '--initial-branch=sluice-none']
    await this.#git.run({ args: [...init, '--', making] })
    // Attributes of a repository can exclude files from an archive, or substitute text; a checkout does neither.
    await mkdir(join(making, 'info'), { recursive: true })
    await writeFile(join(making, 'info/attributes'), '* -export-ignore -export-subst\n')
    await rm(this.folder, { recursive: true, force: true })
    await rename(making, this.folder)
    return true
  }

  async #takeOver(): Promise<void> {
    if (!(await exists(this.#whole))) return
    const damaged = `${this.folder}.damaged`
    await rm(damaged, { recursive: true, force: true })
    await rename(this.folder, damaged).catch(unlessMissing)
    await rename(this.#whole, this.folder)
    await rm(damaged, { recursive: true, force: true })
  }

  async #fetch(from: FetchFrom, refspecs: readonly string[]): Promise<void> {
    const options = ['--progress', '--no-tags', '--force', '--no-write-fetch-head', ...Mirror.uploadPackFor(from.where)]
    const prune = refspecs === branchesAndTags ? ['--prune'] : []
    let said = ''
    await this.#write(['fetch', ...options, ...prune, '--', from.url, ...refspecs], {
      answers: from.answers,
      timeoutMilliseconds: from.timeoutMilliseconds,
      silenceMilliseconds: from.silenceMilliseconds,
      ...(from.signal && { signal: from.signal }),
      onProgress: text => {
        said = (said + text).slice(-65_536)
        from.onProgress?.(text)
      },
    })
    const refused = refusedAsShallow(said)
    if (refused) throw new GitFailure(refused, said.trim(), 0)
  }

  /** Runs a long-running git command, with its process id in a file while it runs. */
  async #write(args: readonly string[], how: Partial<GitCall>): Promise<void> {
    try {
      await this.#run(args, { ...how, onStart: pid => writeFileSync(this.#pidFile, `${pid}`) })
    } catch (error) {
      // Ended by a signal it leaves as much behind as an abandoned one.
      if (error instanceof GitFailure && error.exitCode === null) await this.#endAbandoned()
      throw error
    } finally {
      await rm(this.#pidFile, { force: true })
    }
  }

  /**
   * Ends an abandoned git process: a killed service leaves its git running, still writing into the mirror. We hold the
   * lock, so the process in the file is abandoned: it is ended, and its lock files, which would block every fetch
   * forever, are removed. Partial downloads, which are never used, are removed too: otherwise each fetch that takes too
   * long would fill the disk. So is the mark that keeps a new pack from being repacked.
   */
  async #endAbandoned(): Promise<void> {
    const pid = Number(await readFile(this.#pidFile, 'utf8').catch(unlessMissing))
    if (!pid) return
    while (await worksIn(pid, this.folder)) {
      process.kill(-pid, 'SIGKILL')
      await pause(5)
    }
    for (const name of (await readdir(this.folder, { recursive: true }).catch(unlessMissing)) ?? [])
      if (/\.lock$|^objects\/(?:.*\/)?(?:tmp_|\.tmp-)[^/]+$|^objects\/pack\/[^/]+\.keep$/.test(name))
        await rm(join(this.folder, name), { recursive: true, force: true })
    await rm(this.#pidFile, { force: true })
  }

  /**
   * Pins the used commits in the new mirror. Commits that neither the remote nor the damaged mirror contains any more
   * are lost: requests for them report that.
   */
  async #pinAgain(from: FetchFrom, damaged?: string): Promise<void> {
    for (const commit of await from.kept()) {
      from.signal?.throwIfAborted()
      if (damaged && !(await this.has(commit)))
        await this.#fetch({ ...from, ...folderOf(damaged) }, [refspecOf(commit)]).catch(noAnswer)
      if (!(await this.has(commit))) await this.fetchCommit(from, commit).catch(noAnswer)
      if (await this.has(commit)) await this.keep(commit)
    }
    from.signal?.throwIfAborted()
  }
}

/** Git skips refs that a shallow clone cannot provide completely, and reports success. */
function refusedAsShallow(said: string): string | undefined {
  const refs = [...said.matchAll(/rejected (\S+) because shallow roots are not allowed/g)].map(([, ref]) => ref)
  return refs.length === 0
    ? undefined
    : `The repository is a shallow clone, its history is cut off: ${refs.slice(0, 10).join(', ')} cannot be fetched from it. Run "git fetch --unshallow" there, or name the repository that it was cloned from.`
}

/** Whether git reports objects that it cannot read or find. */
export const lacksObjects = ({ output }: GitFailure): boolean =>
  /corrupt|bad object|missing|unable to read|is empty|packfile|garbage|not a (?:valid|tree)/i.test(output)

const aheadAtMost = 5_000

const mostPacks = 20
/** Objects in a file each. */
const mostAlone = 2_000

/**
 * Time of a commit, which its author chooses: any number of digits, or none. A time later than the year 9999 is
 * ignored.
 */
const timeOfCommit = (seconds: string): string | null =>
  /^\d{1,12}$/.test(seconds) && Number(seconds) < 253_402_300_800
    ? new Date(Number(seconds) * 1_000).toISOString()
    : null

const branchesAndTags: readonly string[] = ['+refs/heads/*:refs/heads/*', '+refs/tags/*:refs/tags/*']

/** A folder of our own, for which `file` need not be allowed. */
const folderOf = (folder: string): Pick<FetchFrom, 'url' | 'where' | 'answers'> => ({
  url: `file://${folder}`,
  where: { protocol: 'file', host: '', port: '', path: folder, user: null },
  answers: { configuration: {}, environment: { GIT_ALLOW_PROTOCOL: 'file' }, lines: '', hide: text => text },
})

/** Whether that process is a git running in this folder. Another process may have the process id by now. */
async function worksIn(pid: number, folder: string): Promise<boolean> {
  const commandLine = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
  return commandLine.includes(`--git-dir=${folder}\0`)
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  )

/** Ignores an error about a missing file. */
function unlessMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') throw error
}

/** A failure of git means "no" here. */
function noAnswer(error: unknown): undefined {
  if (!(error instanceof GitFailure)) throw error
}

/**
 * Undefined for git's exit status 1, which means that there is none; any other status is a failure and is thrown again.
 */
function noSuchThing(error: unknown): undefined {
  if (!(error instanceof GitFailure) || error.exitCode !== 1) throw error
}
