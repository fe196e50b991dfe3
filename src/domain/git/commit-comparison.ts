import { asOneLine } from '#platform/display-name.ts'

/** A commit as a person recognizes it: its author's name and the first line of its message. */
export interface ListedCommit {
  readonly sha: string
  readonly subject: string
  readonly author: string
  /** ISO 8601, UTC; null for an invalid time. */
  readonly committed_at: string | null
}

export interface ChangedFile {
  readonly path: string
  readonly change: 'added' | 'modified' | 'deleted' | 'renamed'
  /** Path before it was renamed. */
  readonly previous_path?: string
}

/** Difference of two commits: commits and files. The lists are limited, the counts are complete. */
export interface CommitComparison {
  /** Newest first. */
  readonly commits: readonly ListedCommit[]
  readonly commit_count: number
  /** Commits that the older one has and the newer one lacks, as after a step back or a change of branch. */
  readonly removed_commits: readonly ListedCommit[]
  readonly removed_commit_count: number
  readonly files: readonly ChangedFile[]
  readonly file_count: number
}

/** Format of `git log -z` that `readCommits` reads: side, id, time, author, subject, each with a NUL behind it. */
export const commitFormat = '%m%x00%H%x00%ct%x00%an%x00%s'

/** Reads the output of `git log --left-right`. Texts are people's: control characters and line breaks become blanks. */
export function readCommits(
  output: string,
  timeOf: (seconds: string) => string | null,
): { left: ListedCommit[]; right: ListedCommit[] } {
  const fields = output.split('\0')
  const sides = { left: [] as ListedCommit[], right: [] as ListedCommit[] }
  for (let i = 0; i + 4 < fields.length; i += 5) {
    const [side, sha = '', seconds = '', author = '', subject = ''] = fields.slice(i, i + 5)
    sides[side === '<' ? 'left' : 'right'].push({
      sha,
      subject: shown(subject, 1_000),
      author: shown(author, 255),
      committed_at: timeOf(seconds),
    })
  }
  return sides
}

const shown = (text: string, most: number): string => (asOneLine(text) ?? '').slice(0, most)

/** Reads the output of `git diff-tree -z --name-status`, of which a renamed file has two paths. */
export function readChangedFiles(output: string): ChangedFile[] {
  const fields = output.split('\0')
  const files: ChangedFile[] = []
  for (let i = 0; i + 1 < fields.length; ) {
    const status = fields[i]![0]!
    if (status === 'R') {
      files.push({ path: fields[i + 2]!, change: 'renamed', previous_path: fields[i + 1]! })
      i += 3
    } else {
      files.push({ path: fields[i + 1]!, change: changes[status] ?? 'modified' })
      i += 2
    }
  }
  return files
}

const changes: Readonly<Record<string, ChangedFile['change']>> = { A: 'added', D: 'deleted' }
