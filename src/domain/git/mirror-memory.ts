import type { Mirror } from './mirror.adapter.ts'

/** Maximum number of entries for each mirror; then it starts again. */
const most = 1_000

interface Remembered {
  /** The mirror's folder: a mirror that is made again has another. */
  readonly folder: string
  readonly held: Set<string>
  readonly kept: Map<string, Described>
  /** Time of the last fetch, and the commits of branches and tags since. */
  fetched: string
  revisions: Map<string, string>
  refs: Map<string, readonly string[]>
}

type Described = { committedAt: string | null; subject: string }

/**
 * Cache of this process about the mirrors on disk, so that git need not be started for the same query of each change (5
 * ms each time). Commits stay in a mirror as long as its folder does, and branches where they are until it is fetched
 * again, by any process; both are checked each time.
 */
export class MirrorMemory {
  readonly #mirrors = new Map<string, Remembered>()

  /** Whether the mirror holds this commit. */
  async holds(mirror: Mirror, commit: string): Promise<boolean> {
    const { held } = await this.#of(mirror)
    if (held.has(commit)) return true
    const has = await mirror.has(commit)
    if (has) room(held).add(commit)
    return has
  }

  /** Pins the commit, and returns its time and subject. */
  async keep(mirror: Mirror, commit: string): Promise<Described> {
    const { kept } = await this.#of(mirror)
    const known = kept.get(commit)
    if (known) return known
    await mirror.keep(commit)
    const described = await mirror.describe(commit)
    room(kept).set(commit, described)
    return described
  }

  async resolve(mirror: Mirror, revision: string): Promise<string | undefined> {
    const { revisions } = await this.#of(mirror)
    const known = revisions.get(revision)
    if (known !== undefined) return known
    const commit = await mirror.resolve(revision)
    if (commit !== undefined) room(revisions).set(revision, commit)
    return commit
  }

  async refsNamed(mirror: Mirror, revision: string): Promise<readonly string[]> {
    const { refs } = await this.#of(mirror)
    const known = refs.get(revision)
    if (known) return known
    const found = await mirror.refsNamed(revision)
    room(refs).set(revision, found)
    return found
  }

  /** Commit of a revision, if it was resolved since the mirror was fetched. */
  async known(mirror: Mirror, revision: string): Promise<string | undefined> {
    return (await this.#of(mirror)).revisions.get(revision)
  }

  /** Returns whether anything was cached. */
  drop(mirror: Mirror): boolean {
    return this.#mirrors.delete(mirror.folder)
  }

  async #of(mirror: Mirror): Promise<Remembered> {
    const { folder, fetched } = await mirror.state()
    let its = this.#mirrors.get(mirror.folder)
    if (its?.folder !== folder) {
      its = { folder, fetched, held: new Set(), kept: new Map(), revisions: new Map(), refs: new Map() }
      this.#mirrors.set(mirror.folder, its)
    }
    if (its.fetched !== fetched) {
      // A new map, not the old one emptied: an old result may be about to be stored in that.
      its.revisions = new Map()
      its.refs = new Map()
      its.fetched = fetched
    }
    return its
  }
}

function room<Many extends Set<string> | Map<string, unknown>>(many: Many): Many {
  if (many.size >= most) many.clear()
  return many
}
